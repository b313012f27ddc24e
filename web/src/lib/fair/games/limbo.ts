import type { FairStream } from "../stream";
import { hundredths, nothing } from "./multiple";
import { NotAllowed, type Progress, type Terms, over } from "./rules";

export type LimboChoice = { target: number };

const DRAWS = 2n ** 32n;

/** How high the number of a draw is, in hundredths. */
function reachedBy(draw: number): bigint {
  return (99n * DRAWS) / (BigInt(draw) + 1n);
}

export async function limbo(
  stream: FairStream,
  _: Terms,
  { target }: LimboChoice,
): Promise<Progress> {
  if (target < 101 || target > 1_000_000) throw new NotAllowed("target");
  const reached = reachedBy(await stream.below(2 ** 32));
  const won = reached >= BigInt(target);
  const shown = reached < 100n ? 100n : reached;
  const events = [{ type: "rise", reached: Number(shown), won }];
  return over(events, won ? hundredths(target) : nothing);
}
