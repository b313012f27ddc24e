import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  test: {
    // A test that needs a document says so in its first line.
    environment: "node",
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.mjs"],
    // Thousands of edits take their time on a busy machine; nothing here is about time.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
