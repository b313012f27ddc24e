import "./plinko.css";

import { hundredths, payoutOf } from "@/lib/fair/games/multiple";
import { type PlinkoChoice, type Risk, pockets } from "@/lib/fair/games/plinko";
import { formatPercent, moneyText, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/plinko.json";

import { el } from "../frame/dom";
import { segments } from "../frame/fields";
import { type Controls, type Seat, defineGame } from "../frame/game";
import { ruby } from "../frame/palette";
import { pathsTo, shortTimes } from "./board";
import { plinkoScene } from "./scene";

type Key = keyof typeof words;
export type PlinkoSeat = Seat<PlinkoChoice, Key>;
export type FallEvent = { type: "fall"; path: readonly number[]; pocket: number };

const ROWS = [8, 12, 16];
const RISKS = { low: "plinko.low", medium: "plinko.medium", high: "plinko.high" } as const;

export default defineGame<PlinkoChoice, FallEvent, Key>({
  choice: { rows: 12, risk: "medium" },
  words: {
    stage: "plinko.stage",
    play: "plinko.play",
    busy: "plinko.busy",
    rules: ["plinko.rules_1", "plinko.rules_2"],
  },
  plate: ruby,
  controls,
  facts(seat, choice) {
    const best = Math.max(...pockets(choice));
    const stake = seat.stake();
    const pays = stake === null ? "–" : seat.money(moneyText(payoutOf(hundredths(best), stake)));
    return [
      { name: seat.text("plinko.best"), value: seat.times(shortTimes(best)) },
      { name: seat.text("plinko.best_pays"), value: pays },
    ];
  },
  most: (choice) => hundredths(Math.max(...pockets(choice))),
  returns: (choice) => ({
    top: pockets(choice).reduce(
      (sum, pays, pocket) => sum + BigInt(pays) * pathsTo(choice.rows, pocket),
      0n,
    ),
    bottom: 100n * 2n ** BigInt(choice.rows),
  }),
  paytable(seat, choice) {
    const half = pockets(choice).slice(choice.rows / 2);
    return half.map((pays, i) => {
      const paths = pathsTo(choice.rows, choice.rows / 2 + i) * (i === 0 ? 1n : 2n);
      const chance = ratioText(paths * 100n, 2n ** BigInt(choice.rows), 4);
      const told = formatPercent(chance, seat.lang, 2);
      return [seat.text("plinko.chance", told), seat.times(shortTimes(pays))];
    });
  },
  tell(seat, { choice, book }) {
    const { pocket } = book[0] as FallEvent;
    const pays = seat.times(shortTimes(pockets(choice as PlinkoChoice)[pocket] ?? 0));
    return { chip: pays, said: seat.text("plinko.fell", pocket + 1, pays) };
  },
  scene: plinkoScene,
});

function controls(seat: PlinkoSeat): Controls<PlinkoChoice> {
  const rows = segments(
    seat.text("plinko.rows"),
    ROWS.map((value) => ({ value, label: String(value) })),
    (value) => seat.choose({ ...seat.choice(), rows: value }),
  );
  const risk = segments<Risk>(
    seat.text("plinko.risk"),
    (["low", "medium", "high"] as const).map((value) => ({
      value,
      label: seat.text(RISKS[value]),
    })),
    (value) => seat.choose({ ...seat.choice(), risk: value }),
  );
  return {
    views: [el("div", { class: "two" }, rows.view, risk.view)],
    show(choice) {
      rows.show(choice.rows);
      risk.show(choice.risk);
    },
  };
}
