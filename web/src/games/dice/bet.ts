import { type DiceChoice, type Direction, FACES, targetBounds } from "@/lib/fair/dice";

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
