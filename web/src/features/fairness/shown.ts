import type { Round } from "@/lib/api/types";
import type { AnyRound } from "@/lib/fair/evidence";

/** Whether it is still the player's turn in a round. */
export function isOpen(round: Round): boolean {
  const { state }: AnyRound = round;
  return state === "open";
}

/** What the player did in a round. */
export function actionsOf(round: Round): readonly unknown[] {
  const { actions }: AnyRound = round;
  return actions ?? [];
}
