import { type DiceChoice, FACES, isAllowed, isWin, winningRolls } from "../dice";
import type { FairStream } from "../stream";
import { nothing } from "./multiple";
import { NotAllowed, type Progress, type Terms, over } from "./rules";

/** Of 10,000 that are staked so many come back, shared among the rolls that win. */
const RETURNED = 9_900n;

export async function dice(stream: FairStream, _: Terms, choice: DiceChoice): Promise<Progress> {
  if (!isAllowed(choice)) throw new NotAllowed("target");
  const roll = await stream.below(FACES);
  const won = isWin(roll, choice);
  const { target, direction } = choice;
  const multiple = won ? { top: RETURNED, bottom: BigInt(winningRolls(choice)) } : nothing;
  return over([{ type: "roll", roll, target, direction, won }], multiple);
}
