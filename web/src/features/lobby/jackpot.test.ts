import { describe, expect, it } from "vitest";
import { seeded } from "@/lib/random";
import { figureStands, figureText, firstFigure, nextFigure } from "./jackpot";

const lowest = () => 0;
const highest = () => 0.999_999_999_999_999;

describe("the simulated counter", () => {
  it("begins between 11 and 12 billion, with two decimals", () => {
    expect(figureText(firstFigure(lowest))).toBe("11000000000.00");
    expect(figureText(firstFigure(highest))).toBe("12000000000.00");
    expect(figureText(firstFigure(seeded(3)))).toMatch(/^11\d{9}\.\d\d$/);
  });

  it("rises by 100 to 500 every 3 to 5 seconds", () => {
    expect([nextFigure(0, lowest), nextFigure(0, highest)]).toEqual([10_000, 50_000]);
    expect([figureStands(lowest), figureStands(highest)]).toEqual([3000, 5000]);
  });
});
