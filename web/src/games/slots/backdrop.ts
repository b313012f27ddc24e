import { Container, Sprite, Texture } from "pixi.js";

import type { Theme } from "../protocol";
import type { Atlas } from "./atlas";
import type { Board } from "./layout";
import { blankCanvas } from "./pen";
import type { Drift, Style } from "./style";

type Thing = { sprite: Sprite; x: number; y: number; phase: number; speed: number };

/** What lies behind the grid: the place of the machine, how it looks in free spins, and small things that move in it. */
export class Backdrop {
  readonly view = new Container();
  private readonly plain = new Sprite();
  private readonly free = new Sprite();
  private readonly drifting = new Container();
  private things: Thing[] = [];
  private time = 0;
  private size = { width: 1, height: 1 };

  constructor(private readonly style: Style) {
    this.free.alpha = 0;
    this.view.addChild(this.plain, this.free, this.drifting);
  }

  layout(
    width: number,
    height: number,
    board: Board,
    theme: Theme,
    atlas: Atlas,
    sharp: number,
  ): void {
    this.size = { width, height };
    for (const [sprite, free] of [
      [this.plain, false],
      [this.free, true],
    ] as const) {
      const { canvas, pen } = blankCanvas(width * sharp, height * sharp);
      pen.scale(sharp, sharp);
      this.style.backdrop(pen, board, width, height, { theme, free });
      const before = sprite.texture;
      sprite.texture = Texture.from(canvas);
      if (before !== Texture.EMPTY) before.destroy(true);
      sprite.setSize(width, height);
    }
    this.fill(atlas, board);
    this.update(0);
  }

  /** How much of the look of free spins is seen, from 0 to 1. */
  fade(part: number): void {
    this.free.alpha = part;
    // What cannot be seen is not drawn: a phone has better things to do.
    this.free.visible = part > 0;
    this.plain.visible = part < 1;
  }

  update(seconds: number): void {
    this.time += seconds;
    for (const thing of this.things) move(thing, this.style.drift, this.time, this.size);
  }

  destroy(): void {
    this.plain.texture.destroy(true);
    this.free.texture.destroy(true);
  }

  private fill(atlas: Atlas, board: Board): void {
    const { bit, count } = this.style.drift;
    const texture = atlas.bits[bit] ?? Texture.EMPTY;
    for (const old of this.drifting.removeChildren()) old.destroy();
    this.things = Array.from({ length: count }, (_, i) => {
      const sprite = this.drifting.addChild(new Sprite({ texture, anchor: 0.5 }));
      const far = 0.35 + 0.65 * spread(i, 3);
      sprite.setSize(board.cellWidth * 0.26 * far);
      sprite.alpha = 0.25 + 0.45 * far;
      return {
        sprite,
        x: spread(i, 1),
        y: spread(i, 2),
        phase: spread(i, 4) * Math.PI * 2,
        speed: 0.02 + 0.035 * far,
      };
    });
  }
}

function move(
  { sprite, x, y, phase, speed }: Thing,
  { kind }: Drift,
  time: number,
  { width, height }: { width: number; height: number },
): void {
  const swing = Math.sin(time * 0.9 + phase);
  const gone = kind === "rise" ? -time * speed : kind === "fall" ? time * speed : 0;
  const down = (((y + gone) % 1.1) + 1.1) % 1.1;
  sprite.position.set(x * width + swing * (kind === "twinkle" ? 2 : 9), (down - 0.05) * height);
  if (kind === "twinkle") sprite.alpha = 0.35 + 0.35 * Math.sin(time * 1.7 + phase * 3);
  if (kind === "fall") sprite.rotation = swing + time * speed * 14;
}

/** Numbers from 0 to 1 without order, the same at every start. */
function spread(i: number, salt: number): number {
  const value = Math.sin(i * 91.7 + salt * 47.3) * 43758.5453;
  return value - Math.floor(value);
}
