import type { Round } from "@/lib/api/types";
import { moneyUnits } from "@/lib/money/money";

/** Whether it is still the player's turn in a round. */
export function isOpen({ state }: Pick<Round, "state">): boolean {
  return state === "open";
}

/** Whether a round paid more than was staked. */
export function hasWon({ stake, payout }: Pick<Round, "stake" | "payout">): boolean {
  return moneyUnits(payout) > moneyUnits(stake);
}
