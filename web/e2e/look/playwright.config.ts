import { defineConfig } from "@playwright/test";
import { shared } from "../../playwright.config";

/** `npm run look`: pictures of every page, to be looked at, and whether it stands still. Nothing is compared. */
export default defineConfig({
  ...shared,
  testDir: ".",
  testMatch: "*.look.ts",
  outputDir: "../../test-results/look",
  use: { ...shared.use, trace: "off" },
});
