import { describe, expect, it } from "vitest";

import { paytable } from "@/lib/fair/games/keno";
import { percentText } from "@/lib/fair/games/multiple";

import { draws, hitWays, returned } from "./odds";

describe("keno", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("counts every draw of %i picks once", (picks) => {
    const ways = paytable(picks).map((_, hits) => hitWays(picks, hits));
    expect(ways.reduce((sum, one) => sum + one, 0n)).toBe(draws);
    const percent = Number(percentText(returned(picks), 4));
    expect(percent).toBeGreaterThan(98);
    expect(percent).toBeLessThanOrEqual(99);
  });
});
