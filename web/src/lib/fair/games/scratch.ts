import type { FairStream } from "../stream";
import { hundredths, nothing } from "./multiple";
import { type Progress, over, shuffleFront } from "./rules";

/** Prizes in hundredths, and how many of a million draws have each. The number of a prize is its symbol's. */
export const prizes: readonly { pays: number; chance: number }[] = [
  { pays: 100, chance: 160_000 },
  { pays: 200, chance: 90_000 },
  { pays: 500, chance: 30_000 },
  { pays: 1_000, chance: 12_000 },
  { pays: 2_500, chance: 4_000 },
  { pays: 10_000, chance: 1_000 },
  { pays: 100_000, chance: 90 },
  { pays: 500_000, chance: 10 },
];
const FIELDS = 9;

function prizeOf(draw: number): number | null {
  let below = 0;
  const found = prizes.findIndex(({ chance }) => {
    below += chance;
    return draw < below;
  });
  return found < 0 ? null : found;
}

export async function scratch(stream: FairStream): Promise<Progress> {
  const prize = prizeOf(await stream.below(1_000_000));
  const winning = prize === null ? [] : [prize, prize, prize];
  const others = prizes.flatMap((_, symbol) => (symbol === prize ? [] : [symbol, symbol]));
  const wanted = FIELDS - winning.length;
  const filled = (await shuffleFront(stream, others, wanted)).slice(0, wanted);
  const fields = await shuffleFront(stream, [...winning, ...filled], FIELDS);
  const pays = prize === null ? nothing : hundredths(prizes[prize]?.pays ?? 0);
  return over([{ type: "card", fields, prize }], pays);
}
