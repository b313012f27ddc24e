import type { FairStream } from "../stream";
import { hundredths } from "./multiple";
import type { Risk } from "./plinko";
import { NotAllowed, type Progress, type Terms, over } from "./rules";

export type WheelChoice = { segments: number; risk: Risk };

const low = [170, 100, 140, 100, 140, 100, 140, 100];
const medium: Readonly<Record<number, readonly number[]>> = {
  10: [310, 140, 200, 140, 200],
  20: [500, 140, 200, 300, 200, 140, 300, 200],
  30: [700, 185, 200, 300, 200, 200, 300, 200, 185, 300, 200],
  40: [1_000, 140, 200, 300, 200, 140, 300, 200, 200, 300, 140, 200, 300, 200, 140],
  50: [1_500, 150, 200, 300, 150, 200, 300, 200, 150, 300, 200, 150, 300, 200, 150, 300, 200],
};

function wins({ segments, risk }: WheelChoice): readonly number[] {
  const mediumWins = medium[segments];
  if (!mediumWins) throw new NotAllowed("segments");
  if (risk === "high") return [segments * 99];
  if (risk === "medium") return mediumWins;
  return Array.from({ length: segments / 10 }, () => low).flat();
}

/** What each segment pays, in hundredths: wins lie evenly apart. */
export function segmentsOf(choice: WheelChoice): number[] {
  const pays = wins(choice);
  const wheel = Array.from({ length: choice.segments }, () => 0);
  pays.forEach((win, number) => {
    wheel[Math.floor((number * choice.segments) / pays.length)] = win;
  });
  return wheel;
}

export async function wheel(stream: FairStream, _: Terms, choice: WheelChoice): Promise<Progress> {
  const pays = segmentsOf(choice);
  const segment = await stream.below(choice.segments);
  return over([{ type: "stop", segment }], hundredths(pays[segment] ?? 0));
}
