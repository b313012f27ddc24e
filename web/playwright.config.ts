import { type PlaywrightTestConfig, defineConfig } from "@playwright/test";
import { chromiumLaunch } from "./e2e/chromium.mjs";
import { widths } from "./e2e/settled";
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
    viewport: widths[1],
    colorScheme: "dark",
    reducedMotion: "reduce",
    // Noting everything slows every test down: whoever wants to see what failed runs it once more with `--trace on`.
    trace: unattended ? "on-first-retry" : "off",
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

export default defineConfig({
  ...shared,
  testDir: "./e2e",
  testMatch: "**/*.e2e.ts",
  projects: [
    { name: "wide" },
    // What the width changes in coming in, staying and coming back: one of each form, popup and flow.
    { name: "phone", grep: /@phone/, use: { viewport: widths[0] } },
  ],
});
