import { atMostLast } from "@/lib/fair/games/rules";
import type { Machine } from "@/lib/fair/games/slots";
import { ONE, type Units, moneyUnits } from "@/lib/money/money";

export type Place = readonly [reel: number, row: number];
/** Symbols reel by reel, each from the top. */
export type Grid = readonly (readonly number[])[];

/** What happens in a round of a machine, as the server tells it. */
export type SlotEvent =
  | { type: "spin"; reels: Grid; free: boolean }
  | { type: "fall"; reels: Grid }
  | {
      type: "win";
      symbol: number;
      places: readonly Place[];
      ways: number;
      multiplier: string;
    }
  | { type: "free"; spins: number }
  | { type: "most" }
  | { type: "jackpot"; drawn: number; won: boolean }
  | { type: "payout"; amount: string; multiplier: string };

/** A win with all that is shown of it. */
export type Lit = {
  symbol: number;
  places: readonly Place[];
  ways: number;
  /** The number of its line, where lines pay. */
  line: number | null;
  amount: Units;
};

/** One look at the grid: what lies there, what wins, and what falls multiplied it with. */
export type Stand = { grid: Grid; wins: readonly Lit[]; times: number };

/** A spin with its falls. */
export type Turn = {
  /** The number of a free spin, from one; null for the paid one. */
  free: number | null;
  stands: readonly Stand[];
  /** Free spins that begin after it. */
  gives: number;
  /** What it paid, and what the round had paid once it was over. */
  paid: Units;
  total: Units;
};

/** A round as it is shown. */
export type Show = {
  turns: readonly Turn[];
  freeSpins: number;
  isMost: boolean;
  /** Whether the jackpot fell; null on a machine without one. */
  jackpot: boolean | null;
  payout: Units;
};

type Draft = {
  free: number | null;
  stands: { grid: Grid; wins: Lit[]; times: number }[];
  gives: number;
};

/** Reads a book into what is shown one after the other. */
export function readBook(book: readonly SlotEvent[], machine: Machine, stake: Units): Show {
  const drafts: Draft[] = [];
  let [freeSpins, isMost, payout] = [0, false, 0n];
  let jackpot: boolean | null = null;
  for (const event of book) {
    const turn = drafts.at(-1);
    switch (event.type) {
      case "spin": {
        const free = event.free ? drafts.filter((one) => one.free !== null).length + 1 : null;
        const times = timesOf(machine, event.free, 0);
        drafts.push({ free, stands: [{ grid: event.reels, wins: [], times }], gives: 0 });
        break;
      }
      case "fall":
        turn?.stands.push({
          grid: event.reels,
          wins: [],
          times: timesOf(machine, turn.free !== null, turn.stands.length),
        });
        break;
      case "win":
        turn?.stands
          .at(-1)
          ?.wins.push(litOf(event, machine, turn.stands.at(-1)?.wins ?? [], stake));
        break;
      case "free":
        freeSpins = event.spins;
        if (turn) turn.gives = event.spins;
        break;
      case "most":
        isMost = true;
        break;
      case "jackpot":
        jackpot = event.won;
        break;
      case "payout":
        payout = moneyUnits(event.amount);
        break;
      default:
        event satisfies never;
    }
  }
  return { turns: totalled(drafts, payout), freeSpins, isMost, jackpot, payout };
}

/** Counts up; no total is ever more than the round pays, though single wins may be where the most was reached. */
function totalled(drafts: readonly Draft[], payout: Units): Turn[] {
  let total = 0n;
  return drafts.map((draft, i) => {
    const paid = draft.stands
      .flatMap(({ wins }) => wins)
      .reduce((sum, { amount }) => sum + amount, 0n);
    total = total + paid > payout ? payout : total + paid;
    return { ...draft, paid, total: i === drafts.length - 1 ? payout : total };
  });
}

/** What wins are multiplied with: by the falls before, and in free spins. */
function timesOf({ falls, scatter }: Machine, free: boolean, fall: number): number {
  const ladder = falls ? atMostLast(free ? falls.free : falls.paid, fall) : 1;
  return ladder * (free ? (scatter?.multiplier ?? 1) : 1);
}

type WinEvent = Extract<SlotEvent, { type: "win" }>;

function litOf(
  { symbol, places, ways, multiplier }: WinEvent,
  { pays, scatter }: Machine,
  before: readonly Lit[],
  stake: Units,
): Lit {
  const amount = (stake * moneyUnits(multiplier)) / ONE;
  const isLine = typeof pays === "object" && "lines" in pays && symbol !== scatter?.symbol;
  const line = isLine ? lineOf(pays.lines, places, before.at(-1)?.line ?? null) : null;
  return { symbol, places, ways, line, amount };
}

/** The first line after the last that runs through these places: wins come in the order of their lines. */
function lineOf(
  lines: readonly (readonly number[])[],
  places: readonly Place[],
  last: number | null,
): number | null {
  const runs = (line: readonly number[]) => places.every(([reel, row]) => line[reel] === row);
  const found = lines.findIndex((line, i) => i > (last ?? -1) && runs(line));
  return found < 0 ? null : found;
}
