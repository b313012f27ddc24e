import { type Units, moneyUnits } from "@/lib/money/money";

import type { GameRound } from "../protocol";
import type { Ending } from "./game";

/** What a round says of money. */
export type Paid = Pick<GameRound, "stake" | "payout"> & Partial<Pick<GameRound, "jackpot">>;

/** All that the player got for a round: a jackpot is paid besides what the round itself pays. */
export function paidBy({ payout, jackpot }: Paid): Units {
  return moneyUnits(payout) + moneyUnits(jackpot ?? "0");
}

/** How a round ended: only what is more than the stake is a win. */
export function endingOf(round: Paid): Ending {
  const paid = paidBy(round);
  if (paid === 0n) return "lost";
  return paid > moneyUnits(round.stake) ? "won" : "back";
}
