import { Container, Graphics, Sprite, Texture } from "pixi.js";

import type { Machine } from "@/lib/fair/games/slots";
import type { Canvas } from "../frame/canvas";
import type { Theme } from "../protocol";
import { Atlas } from "./atlas";
import { Backdrop } from "./backdrop";
import { boardCanvas, frameWidth } from "./board";
import type { Grid, Lit, Place } from "./book";
import { type Board, centre, dropsOf, fitBoard } from "./layout";
import { Lights } from "./lights";
import { stripOf } from "./machine";
import { Pace } from "./pace";
import { Reel } from "./reel";
import { Shower } from "./shower";
import type { Style } from "./style";

/** Pictures are drawn as sharp as the canvas; the backdrop is soft anyway. */
const SHARP = Math.min(globalThis.devicePixelRatio ?? 1, 2);
const SOFT = Math.min(SHARP, 1.5);
/** How long small things go on moving after the last event. */
const AWAKE_MS = 6000;

/** The drawn machine: it knows how things look and move, but not what a round is. */
export class Stage {
  readonly pace: Pace;
  readonly reels: readonly Reel[];
  private readonly backdrop: Backdrop;
  private readonly holder = new Container();
  private readonly back = new Sprite();
  private readonly freeBack = new Sprite();
  private readonly mask = new Graphics();
  private readonly tape = new Container();
  private readonly lights: Lights;
  private readonly shower = new Shower();
  private readonly tease = new Graphics();
  private atlas: Atlas;
  private board: Board;
  private grid: Grid;
  private free = 0;
  private stopFrames: (() => void) | null = null;
  private restAt = 0;
  private laidOut = "";

  constructor(
    private readonly canvas: Canvas,
    /** The element over the canvas in which the grid stands. */
    private readonly place: HTMLElement,
    private readonly machine: Machine,
    private readonly style: Style,
    private theme: Theme,
    first: Grid,
  ) {
    this.pace = new Pace(canvas);
    this.grid = first;
    this.board = this.fit();
    this.atlas = this.newAtlas();
    this.reels = first.map(
      (_, i) => new Reel(stripOf(machine, i), machine.rows, style.turning, this.atlas, this.board),
    );
    this.lights = new Lights(machine, this.reels);
    this.backdrop = new Backdrop(style);
    this.tape.addChild(...this.reels.map(({ view }) => view));
    this.tape.mask = this.mask;
    this.tease.alpha = 0.45;
    this.holder.addChild(
      this.back,
      this.freeBack,
      this.tease,
      this.lights.under,
      this.tape,
      this.mask,
      this.lights.over,
    );
    canvas.lattice.view.visible = false;
    canvas.root.addChild(this.backdrop.view, this.holder, this.shower.view);
    this.lay(first);
    canvas.onLayout(this.layout);
    this.stir();
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.layout();
  }

  /** Lays a grid down at once. */
  lay(grid: Grid): void {
    this.grid = grid;
    this.reels.forEach((reel, i) => reel.lay(grid[i] ?? []));
    this.canvas.wake();
  }

  /** The bet is on its way: reels turn, or everything falls out. */
  async start(): Promise<void> {
    this.stir();
    this.lights.clear();
    if (this.canvas.isStill) return;
    if (this.style.turning.way === "reels") {
      for (const reel of this.reels) reel.turn();
      return;
    }
    await Promise.all(
      this.reels.map(async (reel, i) => {
        await this.pace.hold(35 * i);
        await reel.empty(this.pace);
      }),
    );
  }

  /** Back to what lay there before. */
  rest(): void {
    this.tease.clear();
    this.lay(this.grid);
  }

  /** Lets one reel come to rest. */
  async land(i: number, symbols: readonly number[], slow: number): Promise<void> {
    this.stir();
    const reel = this.reels[i];
    if (!reel) return;
    if (this.style.turning.way === "reels" && !this.canvas.isStill) {
      await reel.land(symbols, this.pace, slow);
    } else {
      const drops = symbols.map((symbol, to) => ({
        reel: i,
        from: to - symbols.length,
        to,
        symbol,
      }));
      await reel.fall(symbols, drops, this.pace);
    }
    this.grid = this.grid.map((old, at) => (at === i ? symbols : old));
  }

  /** Lights up a reel that may bring what is hoped for; null ends it. */
  hope(i: number | null): void {
    this.tease.clear();
    if (i === null) return;
    const { cellWidth, height } = this.board;
    const color = this.style.tone({ theme: this.theme, free: this.free > 0.5 }).glow;
    this.tease.roundRect(i * cellWidth, 0, cellWidth, height, 10).fill(color);
  }

  light(wins: readonly Lit[], amount: string): void {
    this.stir();
    const { glow } = this.style.tone({ theme: this.theme, free: this.free > 0.5 });
    this.lights.show(wins, amount, this.board, this.atlas, glow);
    this.canvas.wake();
  }

  unlight(): void {
    this.lights.clear();
    this.canvas.wake();
  }

  /** Lets places burst, and what is above them fall. */
  async fall(gone: readonly Place[], after: Grid): Promise<void> {
    this.stir();
    this.lights.clear();
    const sprites = gone.flatMap(([reel, row]) => this.reels[reel]?.spriteAt(row) ?? []);
    const scale = sprites[0]?.scale.x ?? 1;
    if (!this.canvas.isStill) for (const place of gone) this.burst(place, 3);
    await this.pace.move(230, (part) => {
      for (const sprite of sprites) {
        sprite.scale.set(scale * (1 + 0.25 * part));
        sprite.alpha = 1 - part;
      }
    });
    const drops = dropsOf(this.grid, gone, after);
    this.grid = after;
    await Promise.all(
      this.reels.map((reel, i) => {
        const own = drops.filter((drop) => drop.reel === i);
        return reel.fall(after[i] ?? [], own, this.pace);
      }),
    );
  }

  /** Changes between the usual look and that of free spins. */
  async setFree(free: boolean): Promise<void> {
    this.stir();
    const [from, to] = [this.free, free ? 1 : 0];
    if (from === to) return;
    await this.pace.move(500, (part) => this.mix(from + (to - from) * part));
    this.canvas.wake();
  }

  burst([reel, row]: Place, count: number): void {
    if (this.canvas.isStill) return;
    const { x, y } = centre(this.board, [reel, row]);
    const size = this.board.cellWidth * 0.28;
    this.shower.burst(this.atlas.bits, this.board.x + x, this.board.y + y, count, size);
  }

  rain(count: number): void {
    if (this.canvas.isStill) return;
    this.stir();
    const size = this.board.cellWidth * 0.36;
    this.shower.rain(this.atlas.bits, this.canvas, count, size, this.style.turning.direction);
  }

  destroy(): void {
    this.stopFrames?.();
    this.lights.destroy();
    this.backdrop.destroy();
    this.atlas.destroy();
    for (const { texture } of [this.back, this.freeBack]) texture.destroy(true);
  }

  /** Something happens: small things move on for a while. */
  private stir(): void {
    this.restAt = performance.now() + AWAKE_MS;
    if (this.canvas.isStill) return;
    this.stopFrames ??= this.canvas.each(this.frame);
  }

  private readonly frame = (seconds: number): void => {
    const step = Math.min(0.05, seconds);
    for (const reel of this.reels) reel.update(step);
    this.lights.update(step);
    this.shower.update(step);
    this.backdrop.update(step);
    const isBusy = this.shower.isFlying || this.reels.some(({ isTurning }) => isTurning);
    if (isBusy || performance.now() < this.restAt) return;
    this.stopFrames?.();
    this.stopFrames = null;
  };

  private mix(free: number): void {
    this.free = free;
    this.backdrop.fade(free);
    this.freeBack.alpha = free;
    this.freeBack.visible = free > 0;
  }

  private fit(): Board {
    const room = this.canvas.boxOf(this.place);
    // Room for the frame of the grid.
    const edge = 9;
    const inner = {
      x: room.x + edge,
      y: room.y + edge,
      width: Math.max(60, room.width - 2 * edge),
      height: Math.max(60, room.height - 2 * edge),
    };
    return fitBoard(inner, this.grid.length, this.machine.rows);
  }

  private newAtlas(): Atlas {
    const size = Math.min(this.board.cellWidth, this.board.cellHeight) * SHARP;
    return new Atlas(this.style, { theme: this.theme, free: false }, Math.max(48, size));
  }

  private readonly layout = (): void => {
    const { width, height } = this.canvas;
    const board = this.fit();
    const laidOut = [width, height, this.theme, ...Object.values(board)].join();
    // Many things ask for a new layout, but few of them change it.
    if (laidOut === this.laidOut) return;
    this.laidOut = laidOut;
    this.lights.clear();
    this.shower.clear();
    const before = this.atlas;
    this.board = board;
    this.atlas = this.newAtlas();
    this.holder.position.set(this.board.x, this.board.y);
    this.mask.clear().rect(0, 0, this.board.width, this.board.height).fill(0xffffff);
    this.reels.forEach((reel, i) => {
      reel.view.x = i * this.board.cellWidth;
      reel.dress(this.atlas, this.board);
    });
    this.drawBoard();
    this.backdrop.layout(width, height, this.board, this.theme, this.atlas, SOFT);
    this.mix(this.free);
    before.destroy();
  };

  private drawBoard(): void {
    const frame = frameWidth(this.board);
    for (const [sprite, free] of [
      [this.back, false],
      [this.freeBack, true],
    ] as const) {
      const before = sprite.texture;
      const tone = this.style.tone({ theme: this.theme, free });
      sprite.texture = Texture.from(boardCanvas(this.board, tone, SHARP));
      if (before !== Texture.EMPTY) before.destroy(true);
      sprite.setSize(this.board.width + 2 * frame, this.board.height + 2 * frame);
      sprite.position.set(-frame, -frame);
    }
  }
}
