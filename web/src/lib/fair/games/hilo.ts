import type { FairStream } from "../stream";
import { type Multiple, hundredths, multipleText, nothing, payoutOf, times } from "./multiple";
import { type GameEvent, NotAllowed, type Progress, type Terms, over } from "./rules";

export type HiloAction = "higher" | "lower" | "skip" | "cashOut";
type Guess = "higher" | "lower";
type Card = { rank: number; suit: number };

const RANKS = 13;
const MOST_GUESSES = 20;
const MOST_CARDS = 40;

async function draw(stream: FairStream): Promise<Card> {
  const card = await stream.below(52);
  return { rank: (card % RANKS) + 1, suit: Math.floor(card / RANKS) };
}

/** Beside an ace or a king, where one guess would be certain, one means another card and the other the same. */
export function isRight(guess: Guess, rank: number, next: number): boolean {
  if (guess === "higher") return rank === 1 ? next > 1 : next >= rank;
  return rank === RANKS ? next < RANKS : next <= rank;
}

/** With how many of the ranks a guess is right. */
export function winningRanks(guess: Guess, rank: number): number {
  const ranks = Array.from({ length: RANKS }, (_, number) => number + 1);
  return ranks.filter((next) => isRight(guess, rank, next)).length;
}

export async function hilo(
  stream: FairStream,
  terms: Terms,
  _: Record<string, never>,
  actions: readonly unknown[],
): Promise<Progress> {
  let card = await draw(stream);
  let win: Multiple = { top: 99n, bottom: 100n };
  let guesses = 0;
  const events: GameEvent[] = [];
  const note = (guessed?: boolean): void => {
    const shown = guesses === 0 ? hundredths(100) : win;
    const event = { type: "card", ...card, multiplier: multipleText(shown) };
    events.push(guessed === undefined ? event : { ...event, guessed });
  };
  note();
  for (const action of actions as readonly HiloAction[]) {
    if (action === "cashOut") {
      if (guesses === 0) throw new NotAllowed("nothing is won yet");
      return over(events, win);
    }
    if (action === "skip") {
      if (events.length === MOST_CARDS) throw new NotAllowed("no more cards");
      card = await draw(stream);
      note();
      continue;
    }
    const raised = times(win, RANKS, winningRanks(action, card.rank));
    if (payoutOf(raised, terms.stake) > terms.most) throw new NotAllowed("payout");
    const next = await draw(stream);
    const right = isRight(action, card.rank, next.rank);
    win = right ? raised : nothing;
    guesses += 1;
    card = next;
    note(right);
    if (!right || guesses === MOST_GUESSES) return over(events, win);
  }
  return { events, isOver: false, cashOut: guesses > 0 ? win : null };
}
