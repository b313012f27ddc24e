import { Rectangle, Texture } from "pixi.js";

import { bitCanvas, blankCanvas, smearedCanvas, symbolCanvas } from "./pen";
import type { Mood, Style } from "./style";

/** Nothing bleeds into its neighbour. */
const GAP = 2;
const COLUMNS = 6;

/** All pictures of a machine in one texture, so that a frame is drawn with few calls. */
export class Atlas {
  readonly sharp: readonly Texture[];
  readonly smeared: readonly Texture[];
  readonly bits: readonly Texture[];
  readonly glow: Texture;
  private readonly whole: Texture;

  constructor(style: Style, mood: Mood, size: number) {
    const { finish } = style.tone(mood);
    const symbols = style.art.map((drawing) =>
      drawing ? symbolCanvas(drawing, size, finish) : blankCanvas(size, size).canvas,
    );
    const tiles = [
      ...symbols,
      ...symbols.map(smearedCanvas),
      ...style.bits.map((bit) => bitCanvas(bit, Math.ceil(size / 2))),
      glowCanvas(size),
    ];
    this.whole = packed(tiles, size + GAP);
    const frames = tiles.map((tile, i) => this.frame(tile, i, size + GAP));
    this.sharp = frames.slice(0, symbols.length);
    this.smeared = frames.slice(symbols.length, symbols.length * 2);
    this.bits = frames.slice(symbols.length * 2, -1);
    this.glow = frames.at(-1) ?? Texture.WHITE;
  }

  destroy(): void {
    for (const texture of [...this.sharp, ...this.smeared, ...this.bits, this.glow])
      texture.destroy();
    this.whole.destroy(true);
  }

  private frame(tile: HTMLCanvasElement, i: number, step: number): Texture {
    const [x, y] = [(i % COLUMNS) * step, Math.floor(i / COLUMNS) * step];
    const frame = new Rectangle(x, y, tile.width, tile.height);
    return new Texture({ source: this.whole.source, frame });
  }
}

function packed(tiles: readonly HTMLCanvasElement[], step: number): Texture {
  const { canvas, pen } = blankCanvas(COLUMNS * step, Math.ceil(tiles.length / COLUMNS) * step);
  tiles.forEach((tile, i) => {
    pen.drawImage(tile, (i % COLUMNS) * step, Math.floor(i / COLUMNS) * step);
  });
  return Texture.from(canvas);
}

/** A soft white light, tinted where it is used. */
function glowCanvas(size: number): HTMLCanvasElement {
  const { canvas, pen } = blankCanvas(size, size);
  const half = size / 2;
  const light = pen.createRadialGradient(half, half, size * 0.12, half, half, half);
  light.addColorStop(0, "rgb(255 255 255 / 0.95)");
  light.addColorStop(0.45, "rgb(255 255 255 / 0.45)");
  light.addColorStop(1, "rgb(255 255 255 / 0)");
  pen.fillStyle = light;
  pen.fillRect(0, 0, size, size);
  return canvas;
}
