import type { Round } from "@/lib/api/types";

/** Whether it is still the player's turn in a round. */
export function isOpen({ state }: Pick<Round, "state">): boolean {
  return state === "open";
}
