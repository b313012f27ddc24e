import "./scratch.css";

import { hundredths, payoutOf } from "@/lib/fair/games/multiple";
import { prizes } from "@/lib/fair/games/scratch";
import { formatPercent, moneyText, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/scratch.json";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import { type Scene, type Seat, defineGame } from "../frame/game";
import { moveInGrid } from "../frame/grid";
import { lagoon } from "../frame/palette";
import { Card } from "./card";
import { FIELDS, SIDE } from "./mask";

type Key = keyof typeof words;
type ScratchChoice = Record<string, never>;
type ScratchSeat = Seat<ScratchChoice, Key>;
type CardEvent = { type: "card"; fields: readonly number[]; prize: number | null };

const best = Math.max(...prizes.map(({ pays }) => pays));
const chances = prizes.reduce((sum, { chance }) => sum + chance, 0);

export default defineGame<ScratchChoice, CardEvent, Key>({
  choice: {},
  words: {
    stage: "scratch.stage",
    play: "scratch.play",
    busy: "scratch.busy",
    rules: ["scratch.rules_1", "scratch.rules_2"],
    keys: "scratch.keys",
  },
  plate: lagoon,
  facts(seat) {
    const stake = seat.stake();
    const pays = stake === null ? "–" : seat.money(moneyText(payoutOf(hundredths(best), stake)));
    const chance = ratioText(BigInt(chances) * 100n, 1_000_000n, 2);
    return [
      { name: seat.text("scratch.chance"), value: formatPercent(chance, seat.lang) },
      { name: seat.text("scratch.best"), value: pays },
    ];
  },
  most: () => hundredths(best),
  returns: () => ({
    top: BigInt(prizes.reduce((sum, { pays, chance }) => sum + pays * chance, 0)),
    bottom: 100_000_000n,
  }),
  paytable: (seat) =>
    prizes
      .map(({ pays, chance }): [string, string] => {
        const share = ratioText(BigInt(chance) * 100n, 1_000_000n, 4);
        return [
          seat.text("scratch.share", formatPercent(share, seat.lang)),
          seat.times(String(pays / 100)),
        ];
      })
      .toReversed(),
  tell(seat, { book }) {
    const { prize } = book[0] as CardEvent;
    const pays = seat.times(String((prize === null ? 0 : (prizes[prize]?.pays ?? 0)) / 100));
    const said = prize === null ? seat.text("scratch.none") : seat.text("scratch.three", pays);
    return { chip: pays, said };
  },
  scene: (canvas, seat) => scene(canvas, seat),
  plain: (seat) => scene(null, seat),
});

/** A card of nine fields under foil: scratched with a finger, opened by key, or all at once. */
function scene(canvas: Canvas | null, seat: ScratchSeat): Scene<ScratchChoice, CardEvent> {
  const pays = (symbol: number): string => `${(prizes[symbol]?.pays ?? 0) / 100}×`;
  let shown: CardEvent | null = null;
  let done: (() => void) | null = null;
  let heard = 0;
  const buttons = Array.from({ length: FIELDS }, (_, field) => {
    const button = el("button", { type: "button", class: "field-button" });
    button.addEventListener("click", () => card.uncover(field));
    return button;
  });
  moveInGrid(buttons, SIDE);
  const name = (field: number): void => {
    const symbol = shown?.fields[field];
    const isOpen = symbol !== undefined && card.isOpen(field);
    const said = isOpen
      ? seat.text("scratch.field", field + 1, pays(symbol))
      : seat.text("scratch.covered", field + 1);
    buttons[field]?.setAttribute("aria-label", said);
    buttons[field]?.setAttribute("aria-disabled", String(shown === null || isOpen));
  };
  const card: Card = new Card(
    {
      pays,
      onOpen(field) {
        name(field);
        seat.sound.tick(field / FIELDS, 0.05);
        if (buttons.every((_, i) => card.isOpen(i))) done?.();
      },
      onScratch() {
        if (performance.now() < heard) return;
        heard = performance.now() + 70;
        seat.sound.noise(0.08, 0.03, 3200);
      },
    },
    buttons,
  );
  seat.room.append(card.view);
  const cover = (event: CardEvent | null): void => {
    shown = event;
    card.cover(event?.fields ?? null, event?.prize ?? null);
    buttons.forEach((_, field) => name(field));
  };
  cover(null);

  const openAll = async (): Promise<void> => {
    for (let field = 0; field < FIELDS; field += 1) {
      if (card.isOpen(field)) continue;
      card.uncover(field);
      await canvas?.pause(0.06);
    }
  };
  const scratched = (): Promise<void> =>
    new Promise((resolve) => {
      done = resolve;
      seat.offer(seat.text("scratch.reveal"), () => void openAll());
    });

  return {
    wait: () => cover(null),
    on: {
      async card(event) {
        cover(event);
        const atOnce = seat.isAuto() || !canvas || canvas.isStill;
        await (atOnce ? openAll() : scratched());
        done = null;
        card.finish();
      },
    },
    end(ending, { stake, payout }) {
      if (ending !== "won" || !canvas) return;
      const { room } = canvas;
      const multiple = Number(payout) / Number(stake);
      canvas.celebrate(room.x + room.width / 2, room.y + room.height / 2, multiple);
    },
    destroy: () => card.view.remove(),
  };
}
