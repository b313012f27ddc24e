import { describe, expect, it } from "vitest";
import { between, seeded } from "./random";

describe("chance for what is only looked at", () => {
  it("repeats itself with the same seed, and only with that", () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seeded(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it("reaches both ends and nothing beyond", () => {
    expect(between(180, 194, () => 0)).toBe(180);
    expect(between(180, 194, () => 0.999_999)).toBe(194);
    const chance = seeded(1);
    const drawn = new Set(Array.from({ length: 400 }, () => between(1, 6, chance)));
    expect([...drawn].toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
