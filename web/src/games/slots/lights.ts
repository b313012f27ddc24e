import { Container, Graphics, Sprite } from "pixi.js";

import { Label } from "../frame/textures";
import type { Machine } from "@/lib/fair/games/slots";
import type { Atlas } from "./atlas";
import type { Lit, Place } from "./book";
import { type Board, centre, linePoints, outline } from "./layout";
import type { Reel } from "./reel";

/** How dark everything is that does not win. */
const DIMMED = 0.3;
const LABEL = { width: 132, height: 30 };
const PLATE = 0x0a0d10;

/** Lights wins up: what belongs to them glows, what pays is drawn around or through it, and its amount stands there. */
export class Lights {
  /** Behind the symbols. */
  readonly under = new Container();
  /** Before the symbols. */
  readonly over = new Container();
  private readonly glows: Sprite[] = [];
  private readonly drawn = new Graphics();
  private readonly label = new Label(LABEL.width, LABEL.height);
  private readonly plate = new Graphics();
  private lit: { sprite: Sprite; scale: number }[] = [];
  private age = 0;

  constructor(
    private readonly machine: Machine,
    private readonly reels: readonly Reel[],
  ) {
    this.over.addChild(this.drawn, this.plate, this.label.view);
    this.plate.alpha = 0.78;
    this.clear();
  }

  /** Lights these wins up together; the amount stands on the last of them. */
  show(wins: readonly Lit[], amount: string, board: Board, atlas: Atlas, glow: number): void {
    this.clear();
    const places = uniquePlaces(wins);
    const known = new Set(places.map((place) => place.join()));
    this.eachSprite((sprite, place) => {
      if (known.has(place.join())) this.lit.push({ sprite, scale: sprite.scale.x });
      else sprite.alpha = DIMMED;
    });
    places.forEach((place, i) => this.glow(i, place, board, atlas, glow));
    for (const win of wins) this.draw(win, board, glow);
    this.write(amount, places, board);
    this.age = 0;
  }

  /** Lets what won breathe. */
  update(seconds: number): void {
    if (this.lit.length === 0) return;
    this.age += seconds;
    const breath = 1 + 0.07 * Math.sin(Math.min(1, this.age * 3.4) * Math.PI);
    for (const { sprite, scale } of this.lit) sprite.scale.set(scale * breath);
  }

  clear(): void {
    for (const { sprite, scale } of this.lit) sprite.scale.set(scale);
    this.lit = [];
    this.eachSprite((sprite) => {
      sprite.alpha = 1;
    });
    for (const glow of this.glows) glow.visible = false;
    this.drawn.clear();
    this.plate.clear();
    this.label.view.visible = false;
  }

  destroy(): void {
    this.label.destroy();
  }

  private eachSprite(act: (sprite: Sprite, place: Place) => void): void {
    this.reels.forEach((reel, i) => {
      for (let row = 0; row < this.machine.rows; row += 1) {
        const sprite = reel.spriteAt(row);
        if (sprite) act(sprite, [i, row]);
      }
    });
  }

  private glow(i: number, place: Place, board: Board, atlas: Atlas, color: number): void {
    const sprite = (this.glows[i] ??= this.under.addChild(new Sprite({ anchor: 0.5 })));
    const { x, y } = centre(board, place);
    sprite.texture = atlas.glow;
    sprite.tint = color;
    sprite.position.set(x, y);
    sprite.setSize(board.cellWidth * 1.3, board.cellHeight * 1.3);
    sprite.visible = true;
  }

  private draw(win: Lit, board: Board, color: number): void {
    const { pays } = this.machine;
    if (typeof pays === "object" && "lines" in pays && win.line !== null) {
      this.drawLine(linePoints(board, pays.lines[win.line] ?? []), color);
    } else this.drawOutline(win.places, board, color);
  }

  private drawLine(points: readonly { x: number; y: number }[], color: number): void {
    for (const [width, tint, alpha] of [
      [8, 0x000000, 0.35],
      [4, color, 0.95],
    ] as const) {
      points.forEach(({ x, y }, i) =>
        i === 0 ? this.drawn.moveTo(x, y) : this.drawn.lineTo(x, y),
      );
      this.drawn.stroke({ width, color: tint, alpha, cap: "round", join: "round" });
    }
  }

  private drawOutline(places: readonly Place[], board: Board, color: number): void {
    const { cellWidth, cellHeight } = board;
    for (const [[x1, y1], [x2, y2]] of outline(places)) {
      this.drawn.moveTo(x1 * cellWidth, y1 * cellHeight).lineTo(x2 * cellWidth, y2 * cellHeight);
    }
    this.drawn.stroke({ width: 3.5, color, alpha: 0.95, cap: "round", join: "round" });
  }

  /** The amount on a dark plate in the middle of what won, never outside the grid. */
  private write(amount: string, places: readonly Place[], board: Board): void {
    if (amount === "" || places.length === 0) return;
    const middles = places.map((place) => centre(board, place));
    const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    const half = LABEL.width / 2 + 4;
    const x = Math.min(board.width - half, Math.max(half, mean(middles.map((point) => point.x))));
    const y = mean(middles.map((point) => point.y)) + board.cellHeight * 0.26;
    const bottom = board.height - LABEL.height / 2 - 4;
    const at = { x, y: Math.min(bottom, y) };
    this.label.set(amount, "#fff6dc").view.position.set(at.x, at.y);
    this.label.view.visible = true;
    this.plate
      .roundRect(at.x - LABEL.width / 2, at.y - LABEL.height / 2, LABEL.width, LABEL.height, 9)
      .fill(PLATE);
  }
}

function uniquePlaces(wins: readonly Lit[]): Place[] {
  const all = new Map(wins.flatMap(({ places }) => places.map((place) => [place.join(), place])));
  return [...all.values()];
}
