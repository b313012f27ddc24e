import { type Units, ratioText, timesFloor } from "@/lib/money/money";

export type Direction = "under" | "over";
export type DiceChoice = { target: number; direction: Direction };

/** Rolls are 0 … 9999, shown as 00.00 … 99.99. */
export const FACES = 10_000;
/** Of 10,000 staked units 9,900 come back on average: the stated return of 99 %. */
const RETURN = 9_900n;
const MAX_COUNT = 9_800;

/** How many of the 10,000 rolls win. */
export function winningRolls({ target, direction }: DiceChoice): number {
  return direction === "under" ? target : FACES - 1 - target;
}

/** The lowest and highest target that the rules allow for a direction. */
export function targetBounds(direction: Direction): { low: number; high: number } {
  if (direction === "under") return { low: 1, high: MAX_COUNT };
  return { low: FACES - 1 - MAX_COUNT, high: FACES - 2 };
}

/** True when the rules allow this bet. */
export function isAllowed(choice: DiceChoice): boolean {
  const { low, high } = targetBounds(choice.direction);
  return Number.isInteger(choice.target) && choice.target >= low && choice.target <= high;
}

/** True when the roll wins. */
export function isWin(roll: number, { target, direction }: DiceChoice): boolean {
  return direction === "under" ? roll < target : roll > target;
}

/** What a winning bet pays, stake included. */
export function payoutOnWin(stake: Units, choice: DiceChoice): Units {
  return timesFloor(stake, RETURN, BigInt(winningRolls(choice)));
}

/** The payout per unit staked as text, rounded down: "1.9800". */
export function multiplierText(choice: DiceChoice, places = 4): string {
  return ratioText(RETURN, BigInt(winningRolls(choice)), places);
}

/** The chance to win in percent as text: "49.50". It is exact: there are 10,000 rolls. */
export function chanceText(choice: DiceChoice): string {
  return ratioText(BigInt(winningRolls(choice)), 100n, 2);
}

/** What exactly this bet returns on average in percent; payouts are rounded down to 0.01, so a small stake may return less than 99. */
export function returnText(stake: Units, choice: DiceChoice): string {
  if (stake <= 0n) return "0.00";
  const won = payoutOnWin(stake, choice) * BigInt(winningRolls(choice));
  return ratioText(won * 100n, stake * BigInt(FACES), 2);
}

/** A roll or a target as the game shows it: 4950 → "49.50". */
export function rollText(roll: number): string {
  return `${Math.floor(roll / 100)
    .toString()
    .padStart(2, "0")}.${(roll % 100).toString().padStart(2, "0")}`;
}
