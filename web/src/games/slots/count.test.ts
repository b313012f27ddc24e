import { describe, expect, it } from "vitest";

import { COUNT_MS, type Joy, counted, joyOf } from "./count";

describe("counting up", () => {
  it("begins and ends exactly, and never goes back or shows parts of a cent", () => {
    const steps = Array.from({ length: 21 }, (_, i) => counted(1_000_000n, 2_345_678n, i / 20));
    expect([steps[0], steps.at(-1)]).toEqual([1_000_000n, 2_345_678n]);
    expect(steps.slice(0, -1).every((step) => step % 100n === 0n)).toBe(true);
    expect(steps).toEqual(steps.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });
});

describe("joy", () => {
  it("is in proportion: what comes back is no win", () => {
    const of = [0n, 4n, 10n, 11n, 99n, 100n, 499n, 500n].map((payout) => joyOf(payout, 10n));
    expect(of).toEqual(["nothing", "back", "back", "win", "win", "big", "big", "huge"]);
  });

  it("takes longer the larger it is", () => {
    const order: readonly Joy[] = ["nothing", "back", "win", "big", "huge"];
    const times = order.map((joy) => COUNT_MS[joy]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});
