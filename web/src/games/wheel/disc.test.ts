import { describe, expect, it } from "vitest";

import { prizesOf, restingAngle, segmentAt, slowing, spinEnd } from "./disc";

describe("wheel", () => {
  it("stops on the segment that was drawn, wherever it begins and wherever inside it stops", () => {
    for (const count of [10, 30, 50]) {
      for (let segment = 0; segment < count; segment += 1) {
        for (const [from, aside] of [
          [0, 0],
          [1.3, -1],
          [-5, 1],
        ] as const) {
          const end = spinEnd(from, segment, count, 4, aside);
          expect(segmentAt(end, count)).toBe(segment);
          expect(end - from).toBeGreaterThanOrEqual(4 * Math.PI * 2);
          expect(end - from).toBeLessThan(5 * Math.PI * 2 + 0.001);
        }
      }
    }
    expect(segmentAt(restingAngle(3, 10), 10)).toBe(3);
  });

  it("only ever slows down", () => {
    const steps = Array.from({ length: 100 }, (_, i) => slowing((i + 1) / 100) - slowing(i / 100));
    expect(steps.every((step, i) => i === 0 || step < (steps[i - 1] ?? 0))).toBe(true);
    expect(slowing(1)).toBe(1);
  });

  it("lists its prizes", () => {
    expect(prizesOf([0, 200, 0, 500, 200])).toEqual([
      { pays: 500, count: 1 },
      { pays: 200, count: 2 },
      { pays: 0, count: 2 },
    ]);
  });
});
