import { type PlaywrightTestConfig, defineConfig } from "@playwright/test";
import { chromiumLaunch } from "./e2e/chromium.mjs";
import { given, ownPort, siteUrl } from "./e2e/site";

const unattended = Boolean(process.env["CI"]);

/** The browser tests run against the real server, which is started for them on data of its own. */
export const shared: PlaywrightTestConfig = {
  fullyParallel: true,
  workers: 2,
  // On a machine of somebody else a test may fail for want of time; the report names it as flaky all the same.
  retries: unattended ? 2 : 0,
  reporter: "list",
  // A game drawn without a graphics card is slow on a small machine, and more so on one that others use as well.
  timeout: unattended ? 300_000 : 120_000,
  expect: { timeout: unattended ? 60_000 : 20_000 },
  use: {
    baseURL: siteUrl,
    launchOptions: await chromiumLaunch(),
    locale: "en-PH",
    viewport: { width: 1280, height: 900 },
    colorScheme: "dark",
    reducedMotion: "reduce",
    // Noting everything slows every test down.
    trace: unattended ? "on-first-retry" : "retain-on-failure",
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
