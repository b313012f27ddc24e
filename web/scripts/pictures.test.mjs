import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { sizeOf, withPalette } from "./lib/png.mjs";
import { webPath } from "./lib/paths.mjs";

const read = (name) => readFileSync(webPath(`public/${name}`));

describe("pictures that are committed", () => {
  it("has one of each page and language for those who share it, none too heavy", () => {
    for (const page of ["home", "games", "promotions", "fairness", "help", "download"]) {
      for (const language of ["en", "fil"]) {
        const png = read(`og/${page}.${language}.png`);
        expect(sizeOf(png), page).toEqual([1200, 630]);
        expect(png.length, page).toBeLessThan(120_000);
      }
    }
  });

  it("has icons of every size that home screens ask for", () => {
    const sides = { 192: 192, 512: 512, "maskable-512": 512, "apple-touch-180": 180 };
    for (const [name, side] of Object.entries(sides))
      expect(sizeOf(read(`icons/${name}.png`)), name).toEqual([side, side]);
    expect([...read("favicon.ico").subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
  });
});

describe("a palette", () => {
  it("keeps the size, and the colours of a picture that has few", () => {
    const small = withPalette(read("icons/apple-touch-180.png"));
    expect(sizeOf(small)).toEqual([180, 180]);
    const at = small.indexOf("PLTE");
    const colors = small.subarray(at + 4, at + 4 + small.readUInt32BE(at - 4));
    for (const color of ["07110e", "a9dcc3", "ffb626"])
      expect(colors.toString("hex")).toContain(color);
  });

  it("refuses what it cannot read", () => {
    expect(() => withPalette(read("og/home.en.png"))).toThrow("not such a PNG");
  });
});
