import "./mines.css";

import { type MinesChoice, TILES, raised } from "@/lib/fair/games/mines";
import { multipleText } from "@/lib/fair/games/multiple";
import { formatPercent, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/mines.json";

import { slider } from "../frame/fields";
import { type Controls, type Seat, defineGame } from "../frame/game";
import { sea } from "../frame/palette";
import type { GameRound } from "../protocol";
import { minesScene } from "./scene";

export type MinesKey = keyof typeof words;
export type MinesSeat = Seat<MinesChoice, MinesKey>;
export type MinesEvent =
  | { type: "tile"; tile: number; safe: boolean; multiplier: string }
  | { type: "mines"; tiles: readonly number[] };

const RETURNED = { top: 99n, bottom: 100n };

export default defineGame<MinesChoice, MinesEvent, MinesKey>({
  choice: { mines: 3 },
  words: {
    stage: "mines.stage",
    play: "mines.play",
    busy: "mines.busy",
    turn: "mines.turn",
    rules: ["mines.rules_1", "mines.rules_2", "mines.rules_3"],
    keys: "mines.keys",
  },
  steps: true,
  plate: sea,
  controls,
  facts(seat, { mines }) {
    const found = pearlsOf(seat.round());
    const left = TILES - found;
    const safe = left - mines;
    const won = Array.from({ length: found + 1 }).reduce<typeof RETURNED>(
      (win, _, number) => raised(win, number, mines),
      RETURNED,
    );
    const chance = ratioText(BigInt(safe) * 100n, BigInt(left), 2);
    return [
      { name: seat.text("mines.chance"), value: formatPercent(chance, seat.lang) },
      { name: seat.text("mines.next"), value: safe > 0 ? seat.times(multipleText(won)) : "–" },
    ];
  },
  most: ({ mines }) => raised(RETURNED, 0, mines),
  tell(seat, round) {
    const found = pearlsOf(round);
    const multiplier = round.book.at(-1)?.["multiplier"];
    const hit = round.book.some((event) => event.type === "tile" && event["safe"] === false);
    return {
      chip: seat.times(String(multiplier ?? "0")),
      said: seat.text(hit ? "mines.hit" : "mines.found", found),
    };
  },
  scene: (canvas, seat) => minesScene(canvas, seat),
  plain: (seat) => minesScene(null, seat),
});

/** How many pearls were found in a round so far. */
function pearlsOf(round: GameRound | null): number {
  return round?.book.filter((event) => event.type === "tile" && event["safe"] === true).length ?? 0;
}

function controls(seat: MinesSeat): Controls<MinesChoice> {
  const mines = slider(seat.text("mines.count"), { min: 1, max: TILES - 1 }, (value) =>
    seat.choose({ mines: value }),
  );
  return { views: [mines.view], show: (choice) => mines.show(choice.mines) };
}
