import { describe, expect, it } from "vitest";

import { moneyUnits } from "@/lib/money/money";

import { type Limits, allowedTarget, parseTarget, preview, stepStake, turned } from "./bet";

const limits: Limits = {
  minStake: moneyUnits("1"),
  maxStake: moneyUnits("10000"),
  maxPayout: moneyUnits("1000000"),
  balance: moneyUnits("500.255"),
};
const under = (target: number) => ({ target, direction: "under" as const });

describe("bet", () => {
  it("previews chance, multiplier, payout and return", () => {
    expect(preview({ stake: "10", choice: under(5000) }, limits)).toEqual({
      chance: "50.00",
      multiplier: "1.9800",
      payout: "19.8",
      returned: "99.00",
      problem: null,
    });
  });

  it.each([
    ["", "amount"],
    ["abc", "amount"],
    ["-1", "amount"],
    ["1e3", "amount"],
    ["1.001", "decimals"],
    ["0.5", "low"],
    ["10000.01", "high"],
    ["500.26", "funds"],
    ["500.25", null],
  ])("finds what is wrong with a stake of %j: %s", (stake, problem) => {
    expect(preview({ stake, choice: under(5000) }, limits).problem).toBe(problem);
  });

  it("refuses a payout above the limit", () => {
    expect(preview({ stake: "500", choice: under(1) }, limits).problem).toBe("payout");
  });

  it("steps the stake inside limits and balance", () => {
    expect(stepStake("10", "half", limits)).toBe("5");
    expect(stepStake("1.5", "half", limits)).toBe("1");
    expect(stepStake("3.33", "half", limits)).toBe("1.66");
    expect(stepStake("300", "double", limits)).toBe("500.25");
    expect(stepStake("nonsense", "double", limits)).toBe("2");
    expect(stepStake("7", "min", limits)).toBe("1");
    expect(stepStake("7", "max", limits)).toBe("500.25");
    expect(stepStake("7", "max", { ...limits, balance: 0n })).toBe("1");
  });

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
