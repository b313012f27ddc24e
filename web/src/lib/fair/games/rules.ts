import type { Units } from "@/lib/money/money";
import type { FairStream } from "../stream";
import type { Multiple } from "./multiple";

/** What is staked, and the most that the house pays for it. */
export type Terms = { stake: Units; most: Units };

/** Something that happens in a round. */
export type GameEvent = { type: string } & Record<string, unknown>;

/** Where a round stands: over, with what it pays, or at the player's turn. */
export type Progress =
  | { events: readonly GameEvent[]; isOver: true; multiple: Multiple }
  | { events: readonly GameEvent[]; isOver: false; cashOut: Multiple | null };

/**
 * The rules of a game: the round follows from the stream, the terms, the choice and what the player did. Written
 * from the published rules, not from the server's code, so that the two check each other.
 */
export type Rules = (
  stream: FairStream,
  terms: Terms,
  choice: never,
  actions: readonly unknown[],
) => Promise<Progress>;

/** A round that the rules do not allow. */
export class NotAllowed extends Error {}

export function over(events: readonly GameEvent[], multiple: Multiple): Progress {
  return { events, isOver: true, multiple };
}

/** Puts so many random items of a list to its front; every order is equally likely. */
export async function shuffleFront<T>(
  stream: FairStream,
  items: readonly T[],
  count: number,
): Promise<T[]> {
  const shuffled = [...items];
  for (let place = 0; place < Math.min(count, shuffled.length); place += 1) {
    const other = place + (await stream.below(shuffled.length - place));
    [shuffled[place], shuffled[other]] = [shuffled[other] as T, shuffled[place] as T];
  }
  return shuffled;
}

/** So many different numbers below n, in the order in which they come. */
export async function drawDistinct(
  stream: FairStream,
  n: number,
  count: number,
): Promise<number[]> {
  const numbers = Array.from({ length: n }, (_, number) => number);
  return (await shuffleFront(stream, numbers, count)).slice(0, count);
}

/** What stands in a list at a place, or what its last says for all places after it. */
export function atMostLast(list: readonly number[], place: number): number {
  return list[Math.min(place, list.length - 1)] ?? 0;
}
