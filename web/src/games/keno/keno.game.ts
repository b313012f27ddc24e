import "./keno.css";

import { DRAWN, type KenoChoice, NUMBERS, paytable } from "@/lib/fair/games/keno";
import { hundredths, nothing, payoutOf } from "@/lib/fair/games/multiple";
import { formatPercent, moneyText, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/keno.json";

import { el } from "../frame/dom";
import { type Controls, type Seat, defineGame } from "../frame/game";
import { orchid } from "../frame/palette";
import { draws, hitWays, returned } from "./odds";
import { kenoScene } from "./scene";

export type KenoKey = keyof typeof words;
export type KenoSeat = Seat<KenoChoice, KenoKey>;
export type DrawEvent = { type: "draw"; numbers: readonly number[]; hits: number };

export const MOST_PICKS = 10;

const bestOf = ({ picks }: KenoChoice): number =>
  picks.length === 0 ? 0 : (paytable(picks.length).at(-1) ?? 0);

export default defineGame<KenoChoice, DrawEvent, KenoKey>({
  choice: { picks: [4, 11, 18, 25, 32] },
  words: {
    stage: "keno.stage",
    play: "keno.play",
    busy: "keno.busy",
    rules: ["keno.rules_1", "keno.rules_2"],
    keys: "keno.keys",
  },
  plate: orchid,
  controls,
  facts(seat, choice) {
    const stake = seat.stake();
    const best = hundredths(bestOf(choice));
    const count = choice.picks.length;
    return [
      { name: seat.text("keno.picked"), value: seat.text("keno.of", count, MOST_PICKS) },
      {
        name: seat.text("keno.all_hit"),
        value: stake === null || count === 0 ? "–" : seat.money(moneyText(payoutOf(best, stake))),
      },
    ];
  },
  most: (choice) => (choice.picks.length === 0 ? nothing : hundredths(bestOf(choice))),
  returns: ({ picks }) => returned(picks.length),
  problem: (seat, { picks }) => (picks.length === 0 ? seat.text("keno.pick") : null),
  paytable: (seat, { picks }) =>
    picks.length === 0
      ? []
      : paytable(picks.length).map((pays, hits) => {
          const chance = ratioText(hitWays(picks.length, hits) * 100n, draws, 4);
          const told = seat.text("keno.chance", hits, formatPercent(chance, seat.lang));
          return [told, seat.times(String(pays / 100))];
        }),
  tell(seat, { choice, book }) {
    const { numbers, hits } = book[0] as DrawEvent;
    const { picks } = choice as KenoChoice;
    return {
      chip: seat.text("keno.of", hits, picks.length),
      said: seat.text("keno.drawn", numbers.join(", "), hits, picks.length),
    };
  },
  scene: (canvas, seat) => kenoScene(canvas, seat),
  plain: (seat) => kenoScene(null, seat),
});

function controls(seat: KenoSeat): Controls<KenoChoice> {
  const button = (key: KenoKey, onClick: () => void): HTMLButtonElement => {
    const made = el("button", { type: "button", class: "step" }, seat.text(key));
    made.addEventListener("click", onClick);
    return made;
  };
  const random = button("keno.random", () => {
    const count = seat.choice().picks.length || DRAWN / 2;
    seat.choose({ picks: randomPicks(count) });
  });
  const clear = button("keno.clear", () => seat.choose({ picks: [] }));
  return { views: [el("div", { class: "steps" }, random, clear)], show: () => undefined };
}

/** A choice for a player who leaves it to chance; the draw itself is the server's. */
function randomPicks(count: number): number[] {
  const rest = Array.from({ length: NUMBERS }, (_, i) => i + 1);
  const picks = Array.from({ length: count }, () => {
    const [pick] = rest.splice(Math.floor(Math.random() * rest.length), 1);
    return pick ?? 1;
  });
  return picks.toSorted((a, b) => a - b);
}
