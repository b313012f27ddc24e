import { Container, Sprite, type Texture } from "pixi.js";

import { type Palette, mix } from "./palette";

type Pane = {
  sprite: Sprite;
  x: number;
  y: number;
  /** Where the pane is, from 0 to 1. */
  across: number;
  down: number;
  phase: number;
  heat: number;
};

/** A flash that runs outward from a place. */
type Wave = { x: number; y: number; age: number; color: number; strength: number };

/** How warm a place is lit, 0 … 1; places are counted from 0 to 1 across and down. */
export type Light = (across: number, down: number) => number;

/** A lamp above the middle. */
const lamp: Light = (across, down) =>
  0.5 * Math.exp(-(((across - 0.5) / 0.42) ** 2 + ((down - 0.3) / 0.5) ** 2));

/** The shell panes behind every game. */
export class Lattice {
  readonly view = new Container();
  private panes: Pane[] = [];
  private waves: Wave[] = [];
  private time = 0;
  private light: Light = lamp;

  constructor(
    private readonly texture: Texture,
    private palette: Palette,
  ) {}

  /** Fills the area anew; the size of a pane follows the width. */
  layout(width: number, height: number): void {
    for (const child of this.view.removeChildren()) child.destroy();
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
        x: (column + 0.5) * size,
        y: (row + 0.5) * size,
        across: (column + 0.5) / columns,
        down: (row + 0.5) / rows,
        phase: noise(column, row) * Math.PI * 2,
        heat: 0,
      };
    });
    this.update(0, true);
  }

  /** A wave is running. */
  get flashing(): boolean {
    return this.waves.length > 0;
  }

  /** Changes where the light falls; the panes follow softly. */
  shine(light: Light): void {
    this.light = light;
  }

  paint(palette: Palette): void {
    this.palette = palette;
  }

  /** Lets a wave run out from a place. */
  wave(x: number, y: number, color: number, strength = 1): void {
    this.waves.push({ x, y, age: 0, color, strength });
  }

  /** One frame. `still` sets every pane at once, for players who want no motion. */
  update(seconds: number, still: boolean): void {
    this.time += seconds;
    for (const wave of this.waves) wave.age += seconds;
    this.waves = still ? [] : this.waves.filter(({ age }) => age < 1.6);
    const follow = still ? 1 : Math.min(1, seconds * 7);
    for (const pane of this.panes) this.tint(pane, follow, still);
  }

  private tint(pane: Pane, follow: number, still: boolean): void {
    pane.heat += (this.light(pane.across, pane.down) - pane.heat) * follow;
    const shimmer = still
      ? 0.5
      : 0.5 + 0.5 * Math.sin(this.time * 0.9 + pane.phase + pane.x * 0.01);
    const { cold, warm } = this.palette;
    let color = mix(cold, warm, pane.heat * (0.75 + 0.25 * shimmer));
    let flash = 0;
    for (const wave of this.waves) {
      const near = nearness(wave, pane);
      color = mix(color, wave.color, near);
      flash = Math.max(flash, near);
    }
    pane.sprite.tint = color;
    pane.sprite.alpha = 0.55 + 0.2 * shimmer + 0.25 * pane.heat + 0.2 * flash;
  }
}

function nearness(wave: Wave, { x, y }: Pane): number {
  const gone = Math.hypot(x - wave.x, y - wave.y) - wave.age * 900;
  return Math.exp(-((gone / 110) ** 2)) * wave.strength * Math.max(0, 1 - wave.age / 1.6);
}

function noise(x: number, y: number): number {
  const value = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return value - Math.floor(value);
}
