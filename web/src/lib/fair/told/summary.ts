import { rollText } from "../dice";
import { cardText } from "./cards";
import { type Fields, type Said, numberIn, said, textIn, times100 } from "./said";

/** What a list needs of a round to say in a few words what came of it. */
export type Summarised = {
  gameCode: string;
  choice: unknown;
  book: readonly ({ type: string } & Record<string, unknown>)[];
};

type Teller = (events: readonly Fields[], round: Summarised) => Said;

const NONE: Fields = {};
const find = (events: readonly Fields[], type: string): Fields =>
  events.find((event) => event["type"] === type) ?? NONE;
const all = (events: readonly Fields[], type: string): readonly Fields[] =>
  events.filter((event) => event["type"] === type);
const multiplier = (events: readonly Fields[]): string =>
  textIn(find(events, "payout"), "multiplier") || "–";

const tellers: Readonly<Record<string, Teller>> = {
  dice: (events) => said("told.sum_roll", rollText(numberIn(find(events, "roll"), "roll"))),
  limbo: (events) => said("told.sum_rise", times100(numberIn(find(events, "rise"), "reached"))),
  mines: (events) => {
    const safe = all(events, "tile").filter((event) => event["safe"] === true).length;
    const isHit = all(events, "tile").length > safe;
    return said(isHit ? "told.sum_mine" : "told.sum_safe", safe);
  },
  plinko: (events) => said("told.sum_pocket", numberIn(find(events, "fall"), "pocket") + 1),
  hilo: (events) => {
    const cards = all(events, "card");
    const last = cards.at(-1) ?? NONE;
    return said(
      "told.sum_cards",
      cards.length,
      cardText(numberIn(last, "rank"), numberIn(last, "suit")),
    );
  },
  wheel: (events) => said("told.sum_wheel", multiplier(events)),
  keno: (events) => said("told.sum_hits", numberIn(find(events, "draw"), "hits")),
  scratch: (events) => {
    const isWon = typeof find(events, "card")["prize"] === "number";
    return isWon ? said("told.sum_alike", multiplier(events)) : said("told.sum_not_alike");
  },
};

/** Machines are all told alike. */
function tellMachine(events: readonly Fields[]): Said {
  if (find(events, "jackpot")["won"] === true) return said("told.sum_jackpot");
  const wins = all(events, "win").length;
  const spins = numberIn(find(events, "free"), "spins");
  if (spins > 0) return said("told.sum_free", wins, spins);
  return wins === 0 ? said("told.sum_no_win") : said("told.sum_wins", wins);
}

/** What came of a round, in a few words. */
export function summaryOf(round: Summarised): Said {
  const events: readonly Fields[] = round.book;
  if (find(events, "givenBack") !== NONE) return said("told.sum_given_back");
  const teller = tellers[round.gameCode] ?? (find(events, "spin") === NONE ? null : tellMachine);
  return teller ? teller(events, round) : said("told.plain", "–");
}
