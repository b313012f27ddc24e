import { Container, Sprite, type Texture } from "pixi.js";

import { type DiceChoice, FACES, isWin } from "@/lib/fair/dice";

import type { Palette } from "./palette";

type Pane = {
  sprite: Sprite;
  /** The roll that this column stands for. */
  roll: number;
  x: number;
  y: number;
  phase: number;
  heat: number;
  flash: number;
};

/** A flash that runs outward from the column of the roll. */
type Wave = { x: number; y: number; age: number; color: number; strength: number };

/** The lattice behind the number. Columns are rolls from 0 to 99.99: the winning ones are lit. */
export class Panes {
  readonly view = new Container();
  private panes: Pane[] = [];
  private wave: Wave | null = null;
  private time = 0;
  private choice: DiceChoice = { target: 5000, direction: "under" };

  constructor(
    private readonly texture: Texture,
    private palette: Palette,
  ) {}

  /** Fills the area anew; the size of a pane follows the width. */
  layout(width: number, height: number): void {
    this.view.removeChildren().forEach((child) => child.destroy());
    const columns = Math.max(10, Math.min(25, Math.round(width / 46)));
    const size = width / columns;
    const rows = Math.ceil(height / size);
    this.panes = Array.from({ length: columns * rows }, (_, i) => {
      const [column, row] = [i % columns, Math.floor(i / columns)];
      const sprite = new Sprite(this.texture);
      sprite.position.set(column * size, row * size);
      sprite.setSize(size, size);
      this.view.addChild(sprite);
      return {
        sprite,
        roll: Math.floor(((column + 0.5) / columns) * FACES),
        x: (column + 0.5) * size,
        y: (row + 0.5) * size,
        phase: noise(column, row) * Math.PI * 2,
        heat: 0,
        flash: 0,
      };
    });
    this.update(0, true);
  }

  /** A wave is running. */
  get flashing(): boolean {
    return this.wave !== null;
  }

  choose(choice: DiceChoice): void {
    this.choice = choice;
  }

  paint(palette: Palette): void {
    this.palette = palette;
  }

  /** Lets a wave run out from the roll. */
  burst(width: number, height: number, roll: number, won: boolean): void {
    this.wave = {
      x: (roll / FACES) * width,
      y: height,
      age: 0,
      color: won ? this.palette.win : this.palette.lose,
      strength: won ? 1 : 0.4,
    };
  }

  /** One frame. `still` sets every pane at once, for players who want no motion. */
  update(seconds: number, still: boolean): void {
    this.time += seconds;
    if (this.wave) this.wave.age += seconds;
    const follow = still ? 1 : Math.min(1, seconds * 7);
    for (const pane of this.panes) {
      const goal = isWin(pane.roll, this.choice) ? 1 : 0;
      pane.heat += (goal - pane.heat) * follow;
      pane.flash = still ? 0 : this.flashOf(pane);
      const shimmer = still
        ? 0.5
        : 0.5 + 0.5 * Math.sin(this.time * 0.9 + pane.phase + pane.x * 0.01);
      const base = mix(this.palette.cold, this.palette.warm, pane.heat * (0.75 + 0.25 * shimmer));
      pane.sprite.tint = this.wave ? mix(base, this.wave.color, pane.flash) : base;
      pane.sprite.alpha = 0.55 + 0.2 * shimmer + 0.25 * pane.heat + 0.2 * pane.flash;
    }
    if (this.wave && this.wave.age > 1.6) this.wave = null;
  }

  private flashOf(pane: Pane): number {
    if (!this.wave) return 0;
    const gone = Math.hypot(pane.x - this.wave.x, pane.y - this.wave.y) - this.wave.age * 900;
    const near = Math.exp(-((gone / 110) ** 2));
    return near * this.wave.strength * Math.max(0, 1 - this.wave.age / 1.6);
  }
}

/** Blends two colours channel by channel. */
export function mix(one: number, two: number, share: number): number {
  const part = Math.min(1, Math.max(0, share));
  const channel = (bits: number) => {
    const [a, b] = [(one >> bits) & 255, (two >> bits) & 255];
    return Math.round(a + (b - a) * part) << bits;
  };
  return channel(16) | channel(8) | channel(0);
}

function noise(x: number, y: number): number {
  const value = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return value - Math.floor(value);
}
