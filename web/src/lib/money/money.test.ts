import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  clamp,
  floorTo,
  formatDecimal,
  formatMoney,
  formatPercent,
  moneyText,
  moneyUnits,
  parseMoney,
  ratioText,
  timesFloor,
} from "./money";

type Vectors = {
  valid: { text: string; units: number | string; canonical: string }[];
  invalid: string[];
  floors: {
    amount: string;
    numerator: number;
    denominator: number;
    unit: string;
    result: string;
  }[];
};

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/money.json", import.meta.url), "utf8"),
) as Vectors;

describe("money", () => {
  it.each(vectors.valid)("reads $text as the server does", ({ text, units, canonical }) => {
    expect(parseMoney(text)).toBe(BigInt(units));
    expect(moneyText(moneyUnits(text))).toBe(canonical);
  });

  it.each(vectors.invalid)("refuses %j as the server does", (text) => {
    expect(parseMoney(text)).toBeNull();
    expect(() => moneyUnits(text)).toThrow(RangeError);
  });

  it.each(vectors.floors)(
    "$amount × $numerator ÷ $denominator is $result",
    ({ amount, numerator, denominator, unit, result }) => {
      const product = timesFloor(
        moneyUnits(amount),
        BigInt(numerator),
        BigInt(denominator),
        moneyUnits(unit),
      );
      expect(moneyText(product)).toBe(result);
    },
  );

  it("rounds down, also below zero", () => {
    expect(floorTo(12_345n)).toBe(12_300n);
    expect(floorTo(-12_345n)).toBe(-12_400n);
    expect(ratioText(9_900n, 7_777n, 4)).toBe("1.2729");
    expect(ratioText(5n, 2n, 0)).toBe("2");
  });

  it("keeps amounts inside bounds", () => {
    expect([clamp(1n, 5n, 9n), clamp(7n, 5n, 9n), clamp(12n, 5n, 9n)]).toEqual([5n, 7n, 9n]);
  });

  it("shows amounts exactly where a float would not", () => {
    expect(formatMoney("9007199254740993.25", "PHP", "en")).toBe("₱9,007,199,254,740,993.25");
    expect(formatMoney("1000", "PHP", "fil")).toBe("₱1,000.00");
    expect(formatMoney("0.0125", "PHP", "en")).toBe("₱0.0125");
    expect(formatMoney("1250.5", "FUN", "en")).toBe("1,250.50 FUN");
    expect(formatDecimal("1250.5", "en", 2)).toBe("1,250.50");
  });

  it("sets the percent sign as the language does", () => {
    expect(formatPercent("99", "en")).toBe("99%");
    expect(formatPercent(49.5, "fil", 2)).toBe("49.50%");
  });
});
