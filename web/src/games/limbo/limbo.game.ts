import { Graphics, Sprite, Texture } from "pixi.js";

import type { LimboChoice } from "@/lib/fair/games/limbo";
import { hundredths, payoutOf } from "@/lib/fair/games/multiple";
import { formatPercent, moneyText, ratioText } from "@/lib/money/money";
import type words from "@/locales/en/games/limbo.json";

import type { Canvas } from "../frame/canvas";
import { numberField } from "../frame/fields";
import { type Controls, type Scene, type Seat, defineGame } from "../frame/game";
import { linear } from "../frame/motion";
import { css, mix, night } from "../frame/palette";
import { Label, plaqueTexture } from "../frame/textures";
import { levelOf, parseTimes, riseSeconds, timesText } from "./height";
import { starTexture } from "./star";

type Key = keyof typeof words;
type LimboSeat = Seat<LimboChoice, Key>;
type RiseEvent = { type: "rise"; reached: number; won: boolean };

const QUICK = [150, 200, 1_000, 10_000];
const DRAWS = 2n ** 32n;

export default defineGame<LimboChoice, RiseEvent, Key>({
  choice: { target: 200 },
  words: {
    stage: "limbo.stage",
    play: "limbo.play",
    busy: "limbo.busy",
    rules: ["limbo.rules_1", "limbo.rules_2"],
  },
  plate: night,
  controls,
  facts(seat, { target }) {
    const stake = seat.stake();
    const chance = ratioText((9_900n * DRAWS) / BigInt(target), DRAWS, 4);
    const payout =
      stake === null ? "–" : seat.money(moneyText(payoutOf(hundredths(target), stake)));
    return [
      { name: seat.text("table.chance"), value: formatPercent(chance, seat.lang, 2) },
      { name: seat.text("table.payout"), value: payout },
    ];
  },
  most: ({ target }) => hundredths(target),
  tell(seat, { book }) {
    const reached = seat.times(timesText((book[0] as RiseEvent).reached));
    return { chip: reached, said: seat.text("limbo.reached", reached) };
  },
  scene,
});

function controls(seat: LimboSeat): Controls<LimboChoice> {
  const quick = QUICK.map((value) => ({ value, label: `${value / 100}×` }));
  const target = numberField(
    seat.text("limbo.target"),
    { parse: parseTimes, text: timesText },
    quick,
    (value) => seat.choose({ target: value }),
  );
  return { views: [target.view], show: (choice) => target.show(choice.target) };
}

/** A star lantern of capiz rises in the night: the light climbs with it, and wins once it passes the line. */
function scene(canvas: Canvas, seat: LimboSeat): Scene<LimboChoice, RiseEvent> {
  const star = new Sprite(starTexture());
  const line = new Graphics();
  const plaque = new Sprite();
  let [tag, number] = [new Label(1, 1), new Label(1, 1)];
  let now = 100;
  let mood: "open" | "won" | "lost" = "open";
  star.anchor.set(0.5);
  plaque.anchor.set(0.5);
  canvas.root.addChild(line, star, plaque);

  const show = (value: number): void => {
    now = value;
    const { target } = seat.choice();
    const level = levelOf(value, target);
    canvas.lattice.shine((_, down) => Math.max(0, Math.min(1, (level - (1 - down)) * 8)));
    const { room, palette } = canvas;
    star.y = room.y + room.height * (0.62 - 0.24 * Math.min(1, level));
    star.rotation = level * 0.5;
    star.tint = mood === "lost" ? mix(palette.cold, palette.pearl, 0.2) : palette.gold;
    star.alpha = mood === "lost" ? 0.9 : 0.55 + 0.45 * Math.min(1, level);
    number.set(`${timesText(Math.floor(value))}×`, mood === "won" ? css(palette.win) : palette.ink);
    number.view.y = plaque.y;
  };

  const drawPlaque = (): void => {
    const { palette, room } = canvas;
    const height = Math.min(room.height * 0.46, canvas.width * 0.22, 130);
    const width = height * 3.1;
    const edge = { open: palette.gold, won: palette.win, lost: palette.lose }[mood];
    const fill = mood === "won" ? palette.plaqueWon : palette.plaque;
    if (plaque.texture !== Texture.EMPTY) plaque.texture.destroy(true);
    plaque.texture = plaqueTexture(2 * width, 2 * height, fill, css(edge));
    plaque.setSize(width, height);
    plaque.position.set(canvas.width / 2, room.y + room.height * 0.66);
  };

  canvas.onLayout(() => {
    const { room, width, height, palette } = canvas;
    tag.destroy();
    number.destroy();
    drawPlaque();
    star.setSize(Math.min(room.height * 1.15, width * 0.7, 420));
    star.x = width / 2;
    const y = height * 0.4;
    line
      .clear()
      .rect(0, y, width, 2)
      .roundRect(width - 84, y - 26, 76, 26, 6)
      .fill(palette.gold)
      .roundRect(width - 82, y - 24, 72, 24, 5)
      .fill(palette.ground);
    tag = new Label(66, 20);
    tag.view.position.set(width - 46, y - 13);
    number = new Label(plaque.width * 0.86, plaque.height * 0.8);
    number.view.x = width / 2;
    canvas.root.addChild(tag.view, number.view);
    tag.set(`${timesText(seat.choice().target)}×`, palette.ink);
    show(now);
  });

  const setMood = (next: typeof mood): void => {
    mood = next;
    drawPlaque();
    show(now);
  };

  return {
    choose({ target }) {
      tag.set(`${timesText(target)}×`, canvas.palette.ink);
    },
    wait() {
      now = 100;
      setMood("open");
    },
    on: {
      async rise({ reached, won }) {
        let heard = 0;
        const rise = (part: number): void => {
          const value = 100 * (reached / 100) ** part;
          show(part === 1 ? reached : value);
          if (Math.floor(part * 14) <= heard) return;
          heard = Math.floor(part * 14);
          seat.sound.note({
            from: 260 + 70 * heard,
            seconds: 0.09,
            volume: 0.03,
            shape: "triangle",
          });
        };
        await canvas.tween(riseSeconds(reached), rise, linear);
        setMood(won ? "won" : "lost");
        if (won) canvas.celebrate(star.x, star.y, seat.choice().target / 100);
      },
    },
    rest: () => show(now),
  };
}
