const reloadedKey = "reloaded";
const waits = [300, 1000, 3000];
/** What has not come by then does not come: whoever waits is told. */
export const latestMs = 120_000;

/** A part of the site that could not be loaded: it took too long, or the line is down. */
export class LoadFault extends Error {
  constructor(readonly why: "late" | "network") {
    super(`a part of the site could not be loaded: ${why}`);
    this.name = "LoadFault";
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Loads a part of the site, trying again when the network fails. After that the page is loaded anew, once:
 * a release may have replaced the files that this page still asks for.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LoadFault("late")), latestMs);
  });
  try {
    return await Promise.race([tried(load), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function tried<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of waits) {
    try {
      const part = await load();
      sessionStorage.removeItem(reloadedKey);
      return part;
    } catch {
      await pause(wait);
    }
  }
  return load().catch(reloadOnce);
}

function reloadOnce(): Promise<never> {
  if (sessionStorage.getItem(reloadedKey)) throw new LoadFault("network");
  sessionStorage.setItem(reloadedKey, "1");
  location.reload();
  return new Promise(() => undefined);
}
