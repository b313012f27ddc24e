import { describe, expect, it } from "vitest";

import { allowedTarget, parseTarget, turned } from "./bet";

const under = (target: number) => ({ target, direction: "under" as const });

describe("bet", () => {
  it("keeps the target inside the rules and turns sides with the same chance", () => {
    expect([allowedTarget(0, "under"), allowedTarget(9999, "under")]).toEqual([1, 9800]);
    expect([allowedTarget(0, "over"), allowedTarget(9999, "over")]).toEqual([199, 9998]);
    expect(turned(under(3000))).toEqual({ target: 6999, direction: "over" });
    expect(turned(turned(under(3000)))).toEqual(under(3000));
  });

  it("reads targets as typed", () => {
    expect(["49.5", "7", "00,07", "99.99"].map(parseTarget)).toEqual([4950, 700, 7, 9999]);
    expect(["", "100", "1.234", "-1", "x"].map(parseTarget)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
