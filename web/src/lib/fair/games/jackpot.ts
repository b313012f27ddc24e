import type { FairStream } from "../stream";
import type { GameEvent, Terms } from "./rules";

/** The games that feed the jackpot and may win it. */
export const jackpotGames: ReadonlySet<string> = new Set(["windows", "sari"]);

/** A stake of so much, in ten-thousandths, would win for certain: the draw is made in two parts. */
const high = 50_000;
const low = 1_000_000;

/** The draw for the jackpot, after those of the game itself: it wins below the stake in ten-thousandths. */
export async function drawJackpot(stream: FairStream, { stake }: Terms): Promise<GameEvent> {
  const thousands = await stream.below(high);
  const drawn = thousands * low + (await stream.below(low));
  return { type: "jackpot", drawn, won: BigInt(drawn) < stake };
}
