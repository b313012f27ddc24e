import type { FairStream } from "../stream";
import { hundredths } from "./multiple";
import { NotAllowed, type Progress, type Terms, drawDistinct, over } from "./rules";

export type KenoChoice = { picks: readonly number[] };

export const NUMBERS = 40;
export const DRAWN = 10;

/** What so many picks pay in hundredths, by their hits. */
const tables: readonly (readonly number[])[] = [
  [0, 396],
  [0, 114, 956],
  [0, 45, 250, 3_700],
  [0, 0, 206, 751, 11_000],
  [0, 0, 107, 371, 2_300, 46_500],
  [0, 0, 50, 271, 1_000, 7_500, 180_000],
  [0, 0, 0, 236, 562, 2_700, 29_500, 900_000],
  [0, 0, 0, 143, 370, 1_500, 10_000, 150_000, 1_000_000],
  [0, 0, 0, 92, 251, 860, 4_800, 46_000, 400_000, 1_000_000],
  [0, 0, 0, 63, 171, 580, 2_600, 19_000, 100_000, 500_000, 1_000_000],
];

/** What each number of hits pays, in hundredths. */
export function paytable(picks: number): readonly number[] {
  const table = tables[picks - 1];
  if (!table) throw new NotAllowed("picks");
  return table;
}

export async function keno(stream: FairStream, _: Terms, { picks }: KenoChoice): Promise<Progress> {
  const table = paytable(picks.length);
  const numbers = (await drawDistinct(stream, NUMBERS, DRAWN)).map((number) => number + 1);
  const hits = picks.filter((pick) => numbers.includes(pick)).length;
  return over([{ type: "draw", numbers, hits }], hundredths(table[hits] ?? 0));
}
