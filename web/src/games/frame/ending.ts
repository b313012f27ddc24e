import { moneyUnits } from "@/lib/money/money";

import type { GameRound } from "../protocol";
import type { Ending } from "./game";

/** How a round ended: only what is more than the stake is a win. */
export function endingOf({ stake, payout }: Pick<GameRound, "stake" | "payout">): Ending {
  const paid = moneyUnits(payout);
  if (paid === 0n) return "lost";
  return paid > moneyUnits(stake) ? "won" : "back";
}
