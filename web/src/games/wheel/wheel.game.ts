import "./wheel.css";

import { hundredths, payoutOf } from "@/lib/fair/games/multiple";
import type { Risk } from "@/lib/fair/games/plinko";
import { type WheelChoice, segmentsOf } from "@/lib/fair/games/wheel";
import { formatPercent, moneyText, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/wheel.json";

import { el } from "../frame/dom";
import { segments, slider } from "../frame/fields";
import { type Controls, type Seat, defineGame } from "../frame/game";
import { brass } from "../frame/palette";
import { prizesOf } from "./disc";
import { wheelScene } from "./scene";

type Key = keyof typeof words;
export type WheelSeat = Seat<WheelChoice, Key>;
export type StopEvent = { type: "stop"; segment: number };

const RISKS = { low: "wheel.low", medium: "wheel.medium", high: "wheel.high" } as const;

export default defineGame<WheelChoice, StopEvent, Key>({
  choice: { segments: 30, risk: "medium" },
  words: {
    stage: "wheel.stage",
    play: "wheel.play",
    busy: "wheel.busy",
    rules: ["wheel.rules_1", "wheel.rules_2"],
  },
  plate: brass,
  controls,
  facts(seat, choice) {
    const pays = segmentsOf(choice);
    const best = Math.max(...pays);
    const stake = seat.stake();
    const wins = BigInt(pays.filter((pay) => pay > 100).length);
    const chance = ratioText(wins * 100n, BigInt(pays.length), 2);
    const payout = stake === null ? "–" : seat.money(moneyText(payoutOf(hundredths(best), stake)));
    return [
      { name: seat.text("table.chance"), value: formatPercent(chance, seat.lang) },
      { name: seat.text("wheel.best", seat.times(String(best / 100))), value: payout },
    ];
  },
  most: (choice) => hundredths(Math.max(...segmentsOf(choice))),
  returns: (choice) => ({
    top: BigInt(segmentsOf(choice).reduce((sum, pays) => sum + pays, 0)),
    bottom: 100n * BigInt(choice.segments),
  }),
  paytable: (seat, choice) =>
    prizesOf(segmentsOf(choice)).map(({ pays, count }) => {
      const chance = ratioText(BigInt(count) * 100n, BigInt(choice.segments), 2);
      const told = seat.text(
        "wheel.share",
        count,
        choice.segments,
        formatPercent(chance, seat.lang),
      );
      return [told, seat.times(String(pays / 100))];
    }),
  tell(seat, { choice, book }) {
    const { segment } = book[0] as StopEvent;
    const pays = seat.times(String((segmentsOf(choice as WheelChoice)[segment] ?? 0) / 100));
    return { chip: pays, said: seat.text("wheel.stopped", pays) };
  },
  scene: wheelScene,
});

function controls(seat: WheelSeat): Controls<WheelChoice> {
  const count = slider(seat.text("wheel.segments"), { min: 10, max: 50, step: 10 }, (value) =>
    seat.choose({ ...seat.choice(), segments: value }),
  );
  const risk = segments<Risk>(
    seat.text("wheel.risk"),
    (["low", "medium", "high"] as const).map((value) => ({
      value,
      label: seat.text(RISKS[value]),
    })),
    (value) => seat.choose({ ...seat.choice(), risk: value }),
  );
  return {
    views: [el("div", { class: "two" }, count.view, risk.view)],
    show(choice) {
      count.show(choice.segments);
      risk.show(choice.risk);
    },
  };
}
