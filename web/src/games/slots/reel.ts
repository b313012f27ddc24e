import { Container, Sprite } from "pixi.js";

import type { Atlas } from "./atlas";
import type { Board, Drop } from "./layout";
import { type Pace, bouncing, landing } from "./pace";
import type { Turning } from "./style";

/** The part of a landing during which the symbols are still too fast to be seen sharp. */
const SMEARED = 0.4;

/**
 * One reel. While it turns it is an endless tape of symbols: `position` says how many places it has gone, and what
 * must lie there at the end is written on the tape ahead.
 */
export class Reel {
  readonly view = new Container();
  private readonly sprites: Sprite[];
  private readonly tape = new Map<number, number>();
  private position = 0;
  private turning = false;
  private fast = false;

  constructor(
    /** What the tape shows where nothing else is written. */
    private readonly strip: readonly number[],
    private readonly rows: number,
    private readonly way: Turning,
    private atlas: Atlas,
    private board: Board,
  ) {
    this.sprites = Array.from({ length: rows + 2 }, () => new Sprite({ anchor: 0.5 }));
    this.view.addChild(...this.sprites);
    this.dress(atlas, board);
  }

  /** Takes pictures and measures of a new size; what lies there stays. */
  dress(atlas: Atlas, board: Board): void {
    this.atlas = atlas;
    this.board = board;
    this.place();
  }

  /** The symbol that lies in a row, for lighting it up. */
  spriteAt(row: number): Sprite | undefined {
    return this.sprites[row + 1];
  }

  /** How large a symbol is by itself. */
  get size(): number {
    return Math.min(this.board.cellWidth, this.board.cellHeight) * 0.98;
  }

  /** Lays symbols down, at rest. */
  lay(symbols: readonly number[]): void {
    this.turning = false;
    this.fast = false;
    this.position = 0;
    this.tape.clear();
    symbols.forEach((symbol, row) => this.tape.set(row, symbol));
    this.place();
  }

  turn(): void {
    this.turning = true;
  }

  get isTurning(): boolean {
    return this.turning;
  }

  update(seconds: number): void {
    if (!this.turning) return;
    this.fast = true;
    this.position += seconds * this.way.speed;
    this.place();
  }

  /** Runs on until these symbols lie there. `slow` takes that much longer. */
  async land(symbols: readonly number[], pace: Pace, slow = 1): Promise<void> {
    const { speed, direction, over } = this.way;
    this.turning = false;
    const from = this.position;
    const end = Math.ceil(from) + this.rows + 1;
    symbols.forEach((symbol, row) => this.tape.set(row - direction * end, symbol));
    const ms = (1000 * (end - from) * (over + 3) * slow) / speed;
    await pace.move(ms, (part) => {
      this.position = from + (end - from) * landing(part, over);
      this.fast = part < SMEARED;
      this.place();
    });
    this.lay(symbols);
  }

  /** Lets everything fall out below. */
  async empty(pace: Pace): Promise<void> {
    const { cellHeight, height } = this.board;
    await pace.move(260, (part) => {
      this.sprites.forEach((sprite, i) => {
        sprite.y = (i - 0.5) * cellHeight + part ** 2 * (height + cellHeight);
      });
    });
    for (const sprite of this.sprites) sprite.visible = false;
  }

  /** Lays these symbols down and lets those that moved fall to where they are. */
  async fall(symbols: readonly number[], drops: readonly Drop[], pace: Pace): Promise<void> {
    this.lay(symbols);
    const { cellHeight } = this.board;
    const furthest = Math.max(0, ...drops.map(({ from, to }) => to - from));
    await pace.move(220 + 60 * furthest, (part) => {
      for (const { from, to } of drops) {
        const sprite = this.spriteAt(to);
        if (sprite) sprite.y = (from + (to - from) * bouncing(part) + 0.5) * cellHeight;
      }
    });
    this.place();
  }

  private symbolAt(index: number): number {
    const { length } = this.strip;
    return this.tape.get(index) ?? this.strip[((index % length) + length) % length] ?? 0;
  }

  private place(): void {
    const { cellWidth, cellHeight } = this.board;
    const { direction } = this.way;
    const whole = Math.floor(this.position);
    const part = (this.position - whole) * direction;
    const pictures = this.fast ? this.atlas.smeared : this.atlas.sharp;
    this.sprites.forEach((sprite, i) => {
      const row = i - 1;
      const picture = pictures[this.symbolAt(row - direction * whole)];
      if (picture) sprite.texture = picture;
      sprite.setSize(this.size, this.size * (this.fast ? 1.12 : 1));
      sprite.position.set(cellWidth / 2, (row + 0.5 + part) * cellHeight);
      sprite.alpha = 1;
      sprite.visible = true;
    });
  }
}
