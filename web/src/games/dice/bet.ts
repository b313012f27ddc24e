import {
  type DiceChoice,
  type Direction,
  FACES,
  chanceText,
  multiplierText,
  payoutOnWin,
  returnText,
  targetBounds,
} from "@/lib/fair/dice";
import { PAYABLE, type Units, clamp, floorTo, moneyText, parseMoney } from "@/lib/money/money";

/** The bet as the player has set it: the stake is still what was typed. */
export type Bet = { stake: string; choice: DiceChoice };

export type Limits = { minStake: Units; maxStake: Units; maxPayout: Units; balance: Units };

/** Why a bet cannot be played, in the order in which the player should hear it. */
export type Problem = "amount" | "decimals" | "low" | "high" | "funds" | "payout";

export type Preview = {
  chance: string;
  multiplier: string;
  payout: string | null;
  returned: string | null;
  problem: Problem | null;
};

/** What the player sees before rolling; the server decides in the end. */
export function preview({ stake, choice }: Bet, limits: Limits): Preview {
  const units = parseMoney(stake);
  const known = units !== null && units > 0n && units % PAYABLE === 0n;
  return {
    chance: chanceText(choice),
    multiplier: multiplierText(choice),
    payout: known ? moneyText(payoutOnWin(units, choice)) : null,
    returned: known ? returnText(units, choice) : null,
    problem: problemOf(units, choice, limits),
  };
}

function problemOf(units: Units | null, choice: DiceChoice, limits: Limits): Problem | null {
  if (units === null || units < 0n) return "amount";
  if (units % PAYABLE !== 0n) return "decimals";
  if (units < limits.minStake) return "low";
  if (units > limits.maxStake) return "high";
  if (units > limits.balance) return "funds";
  return payoutOnWin(units, choice) > limits.maxPayout ? "payout" : null;
}

/** The buttons beside the stake. */
export type StakeStep = "half" | "double" | "min" | "max";

/** The stake after a button: never outside the limits, never more than the balance holds. */
export function stepStake(stake: string, step: StakeStep, limits: Limits): string {
  const top = clamp(floorTo(limits.balance), limits.minStake, limits.maxStake);
  const units = parseMoney(stake) ?? limits.minStake;
  const wanted = {
    half: () => floorTo(units / 2n),
    double: () => floorTo(units * 2n),
    min: () => limits.minStake,
    max: () => top,
  }[step]();
  return moneyText(clamp(wanted, limits.minStake, top));
}

/** The nearest target that the rules allow. */
export function allowedTarget(target: number, direction: Direction): number {
  const { low, high } = targetBounds(direction);
  return Math.min(high, Math.max(low, Math.round(target)));
}

/** Changes sides and keeps the chance: under 30.00 becomes over 69.99. */
export function turned({ target, direction }: DiceChoice): DiceChoice {
  const other = direction === "under" ? "over" : "under";
  return { target: allowedTarget(FACES - 1 - target, other), direction: other };
}

/** A target as typed ("49.5"); null when it is no number from 0 to 99.99. */
export function parseTarget(text: string): number | null {
  const match = /^(\d{1,2})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
