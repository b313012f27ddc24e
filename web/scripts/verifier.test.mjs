import { readFile } from "node:fs/promises";

import { describe, expect, it } from "vitest";

import { VERIFIER, verifierPage } from "./verifier.mjs";

describe("the checker to keep", () => {
  it("is made of the sources as they are (npm run verifier writes it)", async () => {
    expect(await readFile(VERIFIER, "utf8")).toBe(await verifierPage());
  }, 60_000);

  it("asks nobody anything", async () => {
    const page = await readFile(VERIFIER, "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/fetch\(|XMLHttpRequest|WebSocket|import\(|https?:\/\//);
  });
});
