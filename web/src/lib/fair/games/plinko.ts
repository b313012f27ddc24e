import type { FairStream } from "../stream";
import { hundredths } from "./multiple";
import { NotAllowed, type Progress, type Terms, over } from "./rules";

export type Risk = "low" | "medium" | "high";
export type PlinkoChoice = { rows: number; risk: Risk };

/** What pockets pay in hundredths, from the middle to the edge; both sides are alike. */
const boards: Readonly<Record<string, readonly number[]>> = {
  "8 low": [66, 83, 120, 230, 500],
  "8 medium": [40, 62, 130, 370, 1_200],
  "8 high": [10, 31, 120, 550, 2_800],
  "12 low": [65, 81, 100, 160, 260, 470, 900],
  "12 medium": [40, 57, 95, 200, 460, 1_200, 3_200],
  "12 high": [11, 21, 55, 200, 800, 3_400, 16_000],
  "16 low": [71, 76, 95, 130, 190, 300, 480, 830, 1_500],
  "16 medium": [41, 52, 80, 140, 290, 630, 1_500, 3_700, 10_000],
  "16 high": [6, 11, 30, 95, 340, 1_300, 5_200, 22_000, 100_000],
};

/** What every pocket pays, in hundredths, from the left. */
export function pockets({ rows, risk }: PlinkoChoice): number[] {
  const half = boards[`${rows} ${risk}`];
  if (!half) throw new NotAllowed("rows");
  return [...half.toReversed(), ...half.slice(1)];
}

export async function plinko(
  stream: FairStream,
  _: Terms,
  choice: PlinkoChoice,
): Promise<Progress> {
  const pays = pockets(choice);
  const path: number[] = [];
  for (let row = 0; row < choice.rows; row += 1) path.push(await stream.below(2));
  const pocket = path.reduce((sum, step) => sum + step, 0);
  return over([{ type: "fall", path, pocket }], hundredths(pays[pocket] ?? 0));
}
