import "./hilo.css";

import type words from "@/locales/en/games/hilo.json";

import { type Seat, defineGame } from "../frame/game";
import { leaf } from "../frame/palette";
import type { GameRound } from "../protocol";
import { hiloScene } from "./scene";

export type HiloKey = keyof typeof words;
export type HiloChoice = Record<string, never>;
export type HiloSeat = Seat<HiloChoice, HiloKey>;
export type CardEvent = {
  type: "card";
  rank: number;
  suit: number;
  multiplier: string;
  guessed?: boolean;
};

const RANK_WORDS = {
  1: "hilo.ace",
  11: "hilo.jack",
  12: "hilo.queen",
  13: "hilo.king",
} as const;
const SUITS = ["hilo.clubs", "hilo.diamonds", "hilo.hearts", "hilo.spades"] as const;

/** A card in words. */
export function cardText({ text }: HiloSeat, { rank, suit }: CardEvent): string {
  const key = RANK_WORDS[rank as keyof typeof RANK_WORDS];
  return text("hilo.card", key ? text(key) : rank, text(SUITS[suit] ?? "hilo.clubs"));
}

export const cardsOf = (round: GameRound | null): CardEvent[] =>
  (round?.book ?? []).filter((event) => event.type === "card") as CardEvent[];

export default defineGame<HiloChoice, CardEvent, HiloKey>({
  choice: {},
  words: {
    stage: "hilo.stage",
    play: "hilo.play",
    busy: "hilo.busy",
    turn: "hilo.turn",
    rules: ["hilo.rules_1", "hilo.rules_2", "hilo.rules_3"],
    keys: "hilo.keys",
  },
  steps: true,
  plate: leaf,
  facts(seat) {
    const cards = cardsOf(seat.round());
    const right = cards.filter(({ guessed }) => guessed).length;
    const now = right > 0 ? seat.times(cards.at(-1)?.multiplier ?? "1") : "–";
    return [
      { name: seat.text("hilo.now"), value: now },
      { name: seat.text("hilo.right"), value: seat.text("hilo.count", right, 20) },
    ];
  },
  most: () => ({ top: 99n * 13n, bottom: 100n }),
  tell(seat, round) {
    const last = cardsOf(round).at(-1);
    const multiplier = round.book.at(-1)?.["multiplier"];
    return {
      chip: seat.times(String(multiplier ?? "0")),
      said: last ? seat.text("hilo.last", cardText(seat, last)) : "",
    };
  },
  scene: (canvas, seat) => hiloScene(canvas, seat),
  plain: (seat) => hiloScene(null, seat),
});
