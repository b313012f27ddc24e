import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { moneyUnits } from "@/lib/money/money";

import {
  type DiceChoice,
  chanceText,
  FACES,
  isAllowed,
  isWin,
  multiplierText,
  returnText,
  rollText,
  targetBounds,
  winningRolls,
} from "./dice";
import { replay } from "./games/games";

type Case = DiceChoice & {
  serverSeed: string;
  clientSeed: string;
  nonce: number;
  stake: string;
  roll: number;
  won: boolean;
  payout: string;
};

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/dice.json", import.meta.url), "utf8"),
) as Case[];

describe("dice", () => {
  it("replays every round of the shared vectors", async () => {
    expect(vectors.length).toBeGreaterThanOrEqual(200);
    for (const round of vectors) {
      const { target, direction, roll, won, stake, payout } = round;
      const choice = { target, direction };
      const played = await replay(round, {
        game: "dice",
        choice,
        actions: [],
        stake,
        most: "1000000",
      });
      expect(played?.payout).toBe(payout);
      expect(played?.events[0]).toEqual({ type: "roll", roll, won, ...choice });
    }
  });

  it("counts the winning rolls of every target", () => {
    for (const direction of ["under", "over"] as const) {
      for (const target of [199, 200, 5000, 9798, 9800]) {
        const choice = { target, direction };
        const rolls = Array.from({ length: FACES }, (_, roll) => roll).filter((roll) =>
          isWin(roll, choice),
        );
        expect(rolls).toHaveLength(winningRolls(choice));
      }
    }
  });

  it("allows from one to 9,800 winning rolls", () => {
    expect(targetBounds("under")).toEqual({ low: 1, high: 9800 });
    expect(targetBounds("over")).toEqual({ low: 199, high: 9998 });
    expect(isAllowed({ target: 0, direction: "under" })).toBe(false);
    expect(isAllowed({ target: 9801, direction: "under" })).toBe(false);
    expect(isAllowed({ target: 199, direction: "over" })).toBe(true);
    expect(isAllowed({ target: 198, direction: "over" })).toBe(false);
    expect(isAllowed({ target: 50.5, direction: "under" })).toBe(false);
  });

  it("shows chance, multiplier, return and roll as text", () => {
    const even: DiceChoice = { target: 4950, direction: "under" };
    expect([chanceText(even), multiplierText(even), returnText(moneyUnits("10"), even)]).toEqual([
      "49.50",
      "2.0000",
      "99.00",
    ]);
    expect(multiplierText({ target: 1, direction: "under" }, 2)).toBe("9900.00");
    expect([rollText(0), rollText(7), rollText(4950), rollText(9999)]).toEqual([
      "00.00",
      "00.07",
      "49.50",
      "99.99",
    ]);
  });

  it("says honestly that small stakes return less, because payouts are rounded down", () => {
    const safe: DiceChoice = { target: 9800, direction: "under" };
    expect(returnText(moneyUnits("1"), safe)).toBe("98.98");
    expect(returnText(moneyUnits("0.01"), safe)).toBe("98.00");
    expect(returnText(0n, safe)).toBe("0.00");
  });
});
