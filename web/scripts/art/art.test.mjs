import { describe, expect, it } from "vitest";

import { contentPictures } from "./content.mjs";
import { draw } from "./draw.mjs";
import { PLATE_NAMES, plateColor } from "./plates.mjs";
import { LATTICE_NAMES } from "./lattice.mjs";
import { FAMILY_NAMES } from "./props/families.mjs";
import { HOUSE } from "./props/house.mjs";
import { MIN_DISTANCE, distance, scene, scenes } from "./scene.mjs";
import { colorDistance } from "./color.mjs";
import { vendorSigns } from "./vendors.mjs";

const house = Object.keys(HOUSE);
const slots = Array.from({ length: 24 }, (_, i) => ({ code: `slot-${i}`, family: "slot" }));
const others = FAMILY_NAMES.flatMap((family) =>
  [1, 2, 3, 4].map((i) => ({ code: `${family}-${i}`, family })),
);
const unknown = Array.from({ length: 12 }, (_, i) => `game-${i}`);
const all = scenes([...house, ...slots, ...others, ...unknown]);

const pairs = all.flatMap((one, i) => all.slice(i + 1).map((two) => [one, two]));

describe("tile art", () => {
  it("is so different that no two of many games are mistaken for each other", () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
    const close = pairs.filter(([one, two]) => distance(one, two) < MIN_DISTANCE);
    expect(close.map(([one, two]) => `${one.code} ${two.code}`)).toEqual([]);
  });

  it("never repeats plate, lattice and kind of prop together unless the symbols differ", () => {
    const looks = all.map(({ plate, lattice, prop }) => `${plate}/${lattice}/${prop}`);
    expect(new Set(looks).size).toBe(all.length);
  });

  it("has plates whose panes the eye can tell apart", () => {
    expect(PLATE_NAMES.length).toBeGreaterThanOrEqual(8);
    for (const [i, one] of PLATE_NAMES.entries()) {
      for (const two of PLATE_NAMES.slice(i + 1)) {
        expect(
          colorDistance(plateColor(one, 0.6), plateColor(two, 0.6)),
          `${one} ${two}`,
        ).toBeGreaterThan(0.05);
      }
    }
  });

  it("uses every plate and every lattice", () => {
    expect(new Set(all.map(({ plate }) => plate)).size).toBe(PLATE_NAMES.length);
    expect(new Set(all.map(({ lattice }) => lattice)).size).toBe(LATTICE_NAMES.length);
  });

  it("gives the same picture for the same code, and does not change it when games are added", () => {
    expect(draw(scene("dice"), "tile")).toBe(draw(scene("dice"), "tile"));
    const before = scenes(["dice", ...slots.slice(0, 10)]);
    const after = scenes(["dice", ...slots.slice(0, 10), "game-1", ...slots.slice(10)]);
    expect(after.slice(0, before.length)).toEqual(before);
  });

  it("stays within 8 kB, without fonts, scripts or style attributes", () => {
    for (const one of all) {
      const svg = draw(one, "tile");
      expect(svg.length, one.code).toBeLessThanOrEqual(8 * 1024);
      expect(svg).not.toMatch(/<text|<script|style=|NaN|undefined/);
      expect(draw(one, "wide")).not.toMatch(/<text|<script|style=|NaN|undefined/);
    }
  });
});

describe("vendor signs", () => {
  it("has every variant of our own, each of another look", () => {
    const signs = new Map(vendorSigns());
    const names = ["default", "active", "white", "color", "purple"];
    expect([...signs.keys()]).toEqual(names.map((name) => `vendor/CAPIZ/${name}.svg`));
    expect(new Set(signs.values()).size).toBe(names.length);
    for (const svg of signs.values()) expect(svg).not.toMatch(/<text|<script|style=|undefined/);
  });
});

describe("pictures of content", () => {
  const pictures = contentPictures();

  it("are small, without words, fonts, scripts or style attributes", () => {
    for (const [name, svg] of pictures) {
      expect(svg.length, name).toBeLessThanOrEqual(12 * 1024);
      expect(svg, name).not.toMatch(/<text|<script|style=|NaN|undefined/);
    }
  });

  it("define every paint that they use", () => {
    for (const [name, svg] of pictures) {
      const defined = new Set([...svg.matchAll(/ id="(\w+)"/g)].map(([, id]) => id));
      const used = [...svg.matchAll(/(?:url\(|href=")#(\w+)/g)].map(([, id]) => id);
      expect(
        used.filter((id) => !defined.has(id)),
        name,
      ).toEqual([]);
    }
  });

  it("leave the left third of a banner to the words", () => {
    const banners = pictures.filter(([name]) => name.startsWith("banners/"));
    expect(banners.length).toBe(7);
    for (const [name, svg] of banners) {
      const panes = svg.slice(svg.indexOf("</defs>"), svg.indexOf('fill="#fff"'));
      const starts = [...panes.matchAll(/M(\d+) \d+/g)].map(([, x]) => Number(x));
      expect(Math.min(...starts), name).toBeGreaterThanOrEqual(400);
    }
  });
});
