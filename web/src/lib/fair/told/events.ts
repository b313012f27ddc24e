import { rollText } from "../dice";
import type { GameEvent } from "../games/rules";
import { prizes } from "../games/scratch";
import { cardText } from "./cards";
import { tellChoice } from "./choice";
import { type Said, numberIn, numbersIn, place, said, textIn, times100 } from "./said";
import { tellSymbol } from "./symbols";

/** What events are told with: the game and what was chosen. */
export type Context = { game: string; choice: unknown };

type Teller = (event: GameEvent, context: Context) => Said;

const won = (event: GameEvent): Said => said(event["won"] === true ? "told.wins" : "told.wins_not");

const tellers: Readonly<Record<string, Teller>> = {
  roll: (event, { game, choice }) =>
    said(
      "told.roll",
      rollText(numberIn(event, "roll")),
      tellChoice(game, choice) ?? "",
      won(event),
    ),
  rise: (event, { game, choice }) =>
    said(
      "told.rise",
      times100(numberIn(event, "reached")),
      tellChoice(game, choice) ?? "",
      won(event),
    ),
  tile: (event) => {
    const tile = place(numberIn(event, "tile"));
    if (event["safe"] !== true) return said("told.tile_mine", tile);
    return said("told.tile_safe", tile, textIn(event, "multiplier"));
  },
  mines: (event) => said("told.mines_were", numbersIn(event, "tiles").map(place).join(", ")),
  fall: (event) => {
    if (!("path" in event)) return said("told.fell");
    const path = numbersIn(event, "path").map((step) => (step === 0 ? "←" : "→"));
    return said("told.ball", path.join(" "), place(numberIn(event, "pocket")));
  },
  card: (event) => ("fields" in event ? tellScratch(event) : tellCard(event)),
  stop: (event) => said("told.stop", place(numberIn(event, "segment"))),
  draw: (event) =>
    said("told.draw", numbersIn(event, "numbers").join(", "), numberIn(event, "hits")),
  spin: (event) => said(event["free"] === true ? "told.spin_free" : "told.spin"),
  win: tellWin,
  free: (event) => said("told.free", numberIn(event, "spins")),
  most: () => said("told.most"),
  jackpot: (event) =>
    said(event["won"] === true ? "told.jackpot_won" : "told.jackpot_lost", textIn(event, "drawn")),
  givenBack: () => said("told.given_back"),
  payout: (event) => said("told.pays", textIn(event, "amount"), textIn(event, "multiplier")),
};

function tellCard(event: GameEvent): Said {
  const card = cardText(numberIn(event, "rank"), numberIn(event, "suit"));
  const guessed = event["guessed"];
  if (guessed === true) return said("told.card_right", card, textIn(event, "multiplier"));
  return said(guessed === false ? "told.card_wrong" : "told.card", card);
}

/** The number of a symbol is that of its prize. */
const prizeText = (symbol: number): string => `${times100(prizes[symbol]?.pays ?? 0)}×`;

function tellScratch(event: GameEvent): Said {
  const fields = numbersIn(event, "fields").map(prizeText).join(" ");
  const prize = event["prize"];
  if (typeof prize !== "number") return said("told.scratch_lost", fields);
  return said("told.scratch_won", fields, prizeText(prize));
}

function tellWin(event: GameEvent, { game }: Context): Said {
  const symbol = tellSymbol(game, numberIn(event, "symbol"));
  const multiplier = textIn(event, "multiplier");
  const ways = numberIn(event, "ways");
  if (ways > 1) return said("told.win_ways", symbol, ways, multiplier);
  const places = event["places"];
  return said("told.win", Array.isArray(places) ? places.length : 0, symbol, multiplier);
}

/** An event in words; what is not known is shown as it stands. */
export function tellEvent(event: GameEvent, context: Context): Said {
  const teller = tellers[event.type];
  return teller ? teller(event, context) : said("told.plain", JSON.stringify(event));
}

/** The symbols of an event that shows reels, row by row. */
export function reelsIn(event: GameEvent, { game }: Context): Said[][] | null {
  const reels = event["reels"];
  if (!Array.isArray(reels)) return null;
  const columns = reels.map((column: unknown) => (Array.isArray(column) ? column.map(Number) : []));
  return (columns[0] ?? []).map((_, row) =>
    columns.map((column) => tellSymbol(game, column[row] ?? 0)),
  );
}
