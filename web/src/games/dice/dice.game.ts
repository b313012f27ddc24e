import "./dice.css";

import {
  type DiceChoice,
  chanceText,
  multiplierText,
  payoutOnWin,
  returnText,
  rollText,
  winningRolls,
} from "@/lib/fair/dice";
import { formatPercent, moneyText } from "@/lib/money/money";
import type words from "@/locales/en/games/dice.json";

import { el } from "../frame/dom";
import { numberField, segments } from "../frame/fields";
import { type Controls, type Seat, defineGame } from "../frame/game";
import { allowedTarget, parseTarget, turned } from "./bet";
import { diceScene, plainDice } from "./scene";

type Key = keyof typeof words;
export type DiceSeat = Seat<DiceChoice, Key>;
export type RollEvent = { type: "roll"; roll: number; won: boolean };

export default defineGame<DiceChoice, RollEvent, Key>({
  choice: { target: 5000, direction: "under" },
  words: {
    stage: "dice.stage",
    play: "dice.roll",
    busy: "dice.rolling",
    rules: ["dice.rules_1", "dice.rules_2"],
    keys: "dice.keys",
  },
  controls,
  facts(seat, choice) {
    const stake = seat.stake();
    return [
      { name: seat.text("table.chance"), value: formatPercent(chanceText(choice), seat.lang, 2) },
      { name: seat.text("dice.multiplier"), value: seat.times(multiplierText(choice)) },
      {
        name: seat.text("table.payout"),
        value: stake === null ? "–" : seat.money(moneyText(payoutOnWin(stake, choice))),
      },
      {
        name: seat.text("dice.return"),
        value: stake === null ? "–" : formatPercent(returnText(stake, choice), seat.lang, 2),
        hint: seat.text("dice.return_hint"),
      },
    ];
  },
  most: (choice) => ({ top: 9_900n, bottom: BigInt(winningRolls(choice)) }),
  tell(seat, { book }) {
    const rolled = rollText((book[0] as RollEvent).roll);
    return { chip: rolled, said: seat.text("dice.rolled", rolled) };
  },
  scene: diceScene,
  plain: plainDice,
});

function controls(seat: DiceSeat): Controls<DiceChoice> {
  const side = segments(
    seat.text("dice.side"),
    [
      { value: "under", label: seat.text("dice.under") },
      { value: "over", label: seat.text("dice.over") },
    ],
    (direction) => {
      if (seat.choice().direction !== direction) seat.choose(turned(seat.choice()));
    },
  );
  const target = numberField(
    seat.text("dice.target"),
    { parse: parseTarget, text: rollText },
    [],
    (value) => {
      const { direction } = seat.choice();
      seat.choose({ target: allowedTarget(value, direction), direction });
    },
  );
  return {
    views: [el("div", { class: "pair" }, side.view, target.view)],
    show(choice) {
      side.show(choice.direction);
      target.show(choice.target);
    },
  };
}
