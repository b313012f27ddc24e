import { describe, expect, it } from "vitest";

import { LINE, levelOf, parseTimes, riseSeconds, timesText } from "./height";

describe("limbo", () => {
  it("reads multiples as typed, inside the rules", () => {
    expect(["2", "2.5", "1,01", "10×", "1", "99999"].map(parseTimes)).toEqual([
      200, 250, 101, 1000, 101, 1_000_000,
    ]);
    expect(["", "x", "-2", "1.234"].map(parseTimes)).toEqual([null, null, null, null]);
    expect([timesText(101), timesText(250), timesText(1_000_000)]).toEqual([
      "1.01",
      "2.50",
      "10000.00",
    ]);
  });

  it("reaches the line exactly at the target", () => {
    for (const target of [101, 200, 1_000_000]) {
      expect(levelOf(target, target)).toBeCloseTo(LINE);
      expect(levelOf(target - 1, target)).toBeLessThan(LINE);
      expect(levelOf(100, target)).toBe(0);
    }
  });

  it("rises longer the higher, but never long", () => {
    expect(riseSeconds(100)).toBeLessThan(riseSeconds(1000));
    expect(riseSeconds(425_201_762_304)).toBeLessThanOrEqual(2.2);
  });
});
