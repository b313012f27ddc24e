import { describe, expect, it } from "vitest";
import { rollOf, scrollStep } from "./use-rolling";

describe("the rolling board", () => {
  /** Where a row is at a time. */
  function placeOf(index: number, count: number, at: number): number {
    const { moves, timing } = rollOf(index, count, 60);
    const [from = 0, to = 0] = moves.translate.map((place) => Number.parseFloat(place.slice(2)));
    const share = ((at - timing.delay) / timing.duration) % 1;
    return Math.round(from + (to - from) * share);
  }

  it("begins with its rows in order, each below the other", () => {
    expect([0, 1, 2, 19].map((index) => placeOf(index, 20, 0))).toEqual([0, 60, 120, 1140]);
  });

  it("moves by half a pixel a frame, and what has left at the top comes in below", () => {
    expect(scrollStep).toBe(0.5);
    expect([0, 1, 2].map((index) => placeOf(index, 20, 1000))).toEqual([-30, 30, 90]);
    expect([0, 1, 2].map((index) => placeOf(index, 20, 2100))).toEqual([1137, -3, 57]);
  });
});
