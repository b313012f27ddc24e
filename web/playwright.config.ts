import { type PlaywrightTestConfig, defineConfig } from "@playwright/test";
import { chromiumLaunch } from "./e2e/chromium.mjs";
import { given, ownPort, siteUrl } from "./e2e/site";

/** The browser tests run against the real server, which is started for them on data of its own. */
export const shared: PlaywrightTestConfig = {
  fullyParallel: true,
  workers: 2,
  retries: 0,
  reporter: "list",
  // A game drawn without a graphics card is slow on a small machine.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: siteUrl,
    launchOptions: await chromiumLaunch(),
    locale: "en-PH",
    viewport: { width: 1280, height: 900 },
    colorScheme: "dark",
    reducedMotion: "reduce",
    trace: "retain-on-failure",
  },
  ...(given === undefined && {
    webServer: {
      command: `node e2e/serve.mjs ${ownPort}`,
      cwd: import.meta.dirname,
      url: `${siteUrl}/readyz`,
      gracefulShutdown: { signal: "SIGINT", timeout: 20_000 },
      stdout: "ignore",
      stderr: "pipe",
      timeout: 120_000,
    },
  }),
};

export default defineConfig({ ...shared, testDir: "./e2e", testMatch: "**/*.e2e.ts" });
