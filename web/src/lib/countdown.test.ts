import { describe, expect, it } from "vitest";
import { atMostEvery, secondsLeft } from "./countdown";

describe("secondsLeft", () => {
  it.each([
    [60_000, 0, 60],
    [60_000, 1, 60],
    [60_000, 1000, 59],
    [60_000, 59_001, 1],
    [60_000, 60_000, 0],
    [60_000, 90_000, 0],
  ])("until %d at %d: %d", (endsAt, now, left) => {
    expect(secondsLeft(endsAt, now)).toBe(left);
  });
});

describe("atMostEvery", () => {
  it("lets one call through per second", () => {
    const due = atMostEvery(1000);
    const times = [0, 1, 999, 1000, 1500, 2000, 2001].filter((now) => due(now));
    expect(times).toEqual([0, 1000, 2000]);
  });
});
