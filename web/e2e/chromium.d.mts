/** How to start a browser here: the system's Chromium, or the one that comes as a package. */
export function chromiumLaunch(): Promise<{
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}>;
