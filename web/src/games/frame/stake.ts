import type { Launch } from "@/lib/api/types";
import { type Multiple, payoutOf } from "@/lib/fair/games/multiple";
import {
  PAYABLE,
  type Units,
  clamp,
  floorTo,
  moneyText,
  moneyUnits,
  parseMoney,
} from "@/lib/money/money";

export type Limits = { minStake: Units; maxStake: Units; maxPayout: Units; balance: Units };

export function limitsOf(
  { minStake, maxStake, maxPayout }: Launch["limits"],
  balance: string,
): Limits {
  return {
    minStake: moneyUnits(minStake),
    maxStake: moneyUnits(maxStake),
    maxPayout: moneyUnits(maxPayout),
    balance: moneyUnits(balance),
  };
}

/** Why a stake cannot be played, in the order in which the player should hear it. */
export type StakeProblem = "amount" | "decimals" | "low" | "high" | "funds" | "payout";

/** A stake as typed; null when it is no amount that can be paid. */
export function parseStake(text: string): Units | null {
  const units = parseMoney(text);
  return units !== null && units > 0n && units % PAYABLE === 0n ? units : null;
}

/** What the player is told before playing; the server decides in the end. */
export function stakeProblem(
  text: string,
  limits: Limits,
  most: Multiple | null,
): StakeProblem | null {
  const units = parseMoney(text);
  if (units === null || units < 0n) return "amount";
  if (units % PAYABLE !== 0n) return "decimals";
  if (units < limits.minStake) return "low";
  if (units > limits.maxStake) return "high";
  if (units > limits.balance) return "funds";
  return most && payoutOf(most, units) > limits.maxPayout ? "payout" : null;
}

/** The buttons beside the stake. */
export type StakeStep = "half" | "double" | "min" | "max";
export const STAKE_STEPS: readonly StakeStep[] = ["half", "double", "min", "max"];

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
