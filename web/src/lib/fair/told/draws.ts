import { rollText } from "../dice";
import { jackpotGames } from "../games/jackpot";
import { machines } from "../games/slots";
import type { Drawn } from "../stream";
import { cardText } from "./cards";
import { type Said, place, said } from "./said";
import { tellSymbol } from "./symbols";

type Teller = (drawn: readonly Drawn[]) => Said[];

const each =
  (tell: (value: number, index: number) => Said): Teller =>
  (drawn) =>
    drawn.map(({ value }, index) => tell(value, index));

/** What numbers come to the front when these were drawn: a draw below n swaps two of those that are left. */
function distinct(drawn: readonly Drawn[], count: number): number[] {
  const items = Array.from({ length: count }, (_, number) => number);
  drawn.forEach(({ value }, at) => {
    [items[at], items[at + value]] = [items[at + value] ?? 0, items[at] ?? 0];
  });
  return items.slice(0, drawn.length);
}

const FIELDS = 9;

const tellers: Readonly<Record<string, Teller>> = {
  dice: each((value) => said("told.drew_roll", rollText(value))),
  limbo: each((value) => said("told.drew_rise", value)),
  mines: (drawn) => distinct(drawn, 25).map((tile) => said("told.drew_mine", place(tile))),
  plinko: each((value, row) =>
    said(value === 0 ? "told.drew_left" : "told.drew_right", place(row)),
  ),
  hilo: each((value) => said("told.drew_card", cardText((value % 13) + 1, Math.floor(value / 13)))),
  wheel: each((value) => said("told.drew_segment", place(value))),
  keno: (drawn) => distinct(drawn, 40).map((number) => said("told.drew_number", number + 1)),
  scratch: (drawn) =>
    drawn.map((_, index) => {
      if (index === 0) return said("told.drew_prize");
      return said(index < drawn.length - FIELDS ? "told.drew_symbol" : "told.drew_order");
    }),
};

/** The last two draws of a round that may win the jackpot are for it. */
function tellMachine(game: keyof typeof machines, drawn: readonly Drawn[]): Said[] {
  const { source } = machines[game];
  const own = jackpotGames.has(game) ? drawn.slice(0, -2) : drawn;
  const tell = ({ value }: Drawn, index: number): Said => {
    if ("weights" in source) {
      const symbol = symbolOf(source.weights.weights, value);
      return said("told.drew_weighted", tellSymbol(game, symbol));
    }
    const reels = source.strips.length;
    return said("told.drew_stop", Math.floor(index / reels) + 1, (index % reels) + 1, place(value));
  };
  return [...own.map(tell), ...drawn.slice(own.length).map(() => said("told.drew_jackpot"))];
}

function symbolOf(weights: readonly number[], value: number): number {
  let left = value;
  return weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
}

/** What each number that was drawn decided. */
export function tellDraws(game: string, drawn: readonly Drawn[]): Said[] {
  if (game in machines) return tellMachine(game as keyof typeof machines, drawn);
  const teller = tellers[game];
  return teller ? teller(drawn) : drawn.map(({ value }) => said("told.plain", value));
}
