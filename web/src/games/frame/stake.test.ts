import { describe, expect, it } from "vitest";

import { moneyUnits } from "@/lib/money/money";

import { type Limits, parseStake, stakeProblem, stepStake } from "./stake";

const limits: Limits = {
  minStake: moneyUnits("1"),
  maxStake: moneyUnits("10000"),
  maxPayout: moneyUnits("1000000"),
  balance: moneyUnits("500.255"),
};

describe("stake", () => {
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
    expect(stakeProblem(stake, limits, { top: 2n, bottom: 1n })).toBe(problem);
  });

  it("refuses a bet that could win more than is paid", () => {
    expect(stakeProblem("500", limits, { top: 9900n, bottom: 1n })).toBe("payout");
    expect(stakeProblem("500", limits, { top: 2000n, bottom: 1n })).toBeNull();
    expect(stakeProblem("500", limits, null)).toBeNull();
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

  it("takes only what can be paid", () => {
    expect(["10", "0.01", "0", "-1", "0.001", "x"].map(parseStake)).toEqual([
      100_000n,
      100n,
      null,
      null,
      null,
      null,
    ]);
  });
});
