import { Sprite, Texture } from "pixi.js";

import { type DiceChoice, FACES, isWin, rollText } from "@/lib/fair/dice";

import type { Canvas } from "../frame/canvas";
import { el } from "../frame/dom";
import type { Ending, Scene } from "../frame/game";
import { css } from "../frame/palette";
import { plaqueTexture } from "../frame/textures";
import { allowedTarget } from "./bet";
import type { DiceSeat, RollEvent } from "./dice.game";
import { Drums } from "./drums";
import { type Track, makeTrack } from "./track";

const LAND_SECONDS = 0.95;
/** The plaque by the height of a digit. */
const PLAQUE = 1.14;

type DiceScene = Scene<DiceChoice, RollEvent>;

function trackOf(seat: DiceSeat): Track {
  const track = makeTrack(seat.text("dice.target_slider"), (target) => {
    const { direction } = seat.choice();
    seat.choose({ target: allowedTarget(target, direction), direction });
  });
  seat.foot.append(track.view);
  return track;
}

function showTrack(seat: DiceSeat, track: Track, choice: DiceChoice): void {
  track.show(choice, seat.text(choice.direction === "under" ? "dice.under" : "dice.over"));
}

/** The number turns like a counter over panes of which the winning ones are lit. */
export function diceScene(canvas: Canvas, seat: DiceSeat): DiceScene {
  const track = trackOf(seat);
  const drums = new Drums();
  const plaque = new Sprite();
  let mood: Ending | "open" = "open";
  let stopTurning: (() => void) | null = null;
  canvas.root.addChild(plaque, drums.view);

  /** The plaque behind the number repeats the result in colour, the text below it in words. */
  const setMood = (next: typeof mood): void => {
    mood = next;
    const { gold, win, lose, plaque: plain, plaqueWon } = canvas.palette;
    const edge = { open: gold, won: win, back: gold, lost: lose }[mood];
    const { room, width } = canvas;
    const digit = drums.height;
    const middle = room.y + room.height / 2;
    const [w, h] = [drums.width + digit * 0.45, digit * PLAQUE];
    const before = plaque.texture;
    plaque.texture = plaqueTexture(2 * w, 2 * h, mood === "won" ? plaqueWon : plain, css(edge));
    if (before !== Texture.EMPTY) before.destroy(true);
    plaque.setSize(w, h);
    plaque.position.set((width - w) / 2, middle - h / 2);
    drums.view.position.set((width - drums.width) / 2, middle - digit / 2);
  };

  /** As large as the room allows: what lies over the canvas never covers the number. */
  canvas.onLayout(() => {
    const most = Math.min(canvas.room.height / PLAQUE, canvas.width * 0.32, 210);
    drums.layout(Math.max(36, most), canvas.palette.ink);
    setMood(mood);
  });

  const turn = (): void => {
    stopTurning ??= canvas.each((seconds) => drums.update(seconds));
  };
  const rest = (): void => {
    stopTurning?.();
    stopTurning = null;
  };

  return {
    choose(choice) {
      showTrack(seat, track, choice);
      canvas.lattice.shine((across) => (isWin(Math.floor(across * FACES), choice) ? 1 : 0));
    },
    wait() {
      setMood("open");
      if (canvas.isStill) return;
      drums.spin();
      turn();
    },
    on: {
      async roll({ roll, won }) {
        drums.land(roll, canvas.isStill ? 0 : LAND_SECONDS);
        await Promise.all([canvas.pause(LAND_SECONDS), track.mark(roll, won)]);
        rest();
        drums.land(roll, 0);
        setMood(won ? "won" : "lost");
        if (canvas.isStill) return;
        const { win, lose } = canvas.palette;
        const x = (roll / FACES) * canvas.width;
        canvas.lattice.wave(x, canvas.height, won ? win : lose, won ? 1 : 0.4);
      },
    },
    rest() {
      drums.rest();
      rest();
    },
    destroy: () => drums.destroy(),
  };
}

/** The number as text, where WebGL does not work. */
export function plainDice(seat: DiceSeat): DiceScene {
  const track = trackOf(seat);
  const number = el("output", { class: "plain-number", "aria-hidden": "true" }, "––.––");
  seat.room.append(number);
  return {
    choose: (choice) => showTrack(seat, track, choice),
    wait: () => number.classList.add("spinning"),
    on: {
      async roll({ roll, won }) {
        await track.mark(roll, won);
        number.textContent = rollText(roll);
        number.classList.remove("spinning");
        number.dataset["won"] = String(won);
      },
    },
    rest: () => number.classList.remove("spinning"),
  };
}
