import { existsSync } from "node:fs";

const installed = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Enough for the games' WebGL on a machine without a graphics card. */
const args = [
  "--no-sandbox",
  "--headless=shell",
  "--disable-gpu",
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-networking",
];

async function bundled() {
  // The package unpacks the libraries that the browser needs only where it believes to run there.
  process.env["AWS_EXECUTION_ENV"] ??= "AWS_Lambda_nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

/** How to start a browser here: the system's Chromium, or the one that comes as a package. */
export async function chromiumLaunch() {
  const system = installed.find((path) => path !== undefined && existsSync(path));
  const executablePath = system ?? (await bundled());
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry) => entry[1] !== undefined),
  );
  const needed = system ? args.filter((arg) => arg !== "--headless=shell") : args;
  return { executablePath, args: needed, env };
}
