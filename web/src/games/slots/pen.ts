import type { MachineKey } from "./words";

/** One shape in a box of 32 by 32: filled, filled by the even-odd rule, or a line of this width. */
export type Layer = readonly [colour: string, path: string, how?: number | "evenodd"];

/** Shapes from the back to the front, and the square that they fill. */
export type Drawing = {
  readonly box: readonly [x: number, y: number, side: number];
  readonly layers: readonly Layer[];
};

/** A symbol: its picture, and the message key of its name. */
export type SymbolArt = Drawing & { readonly key: MachineKey };

/** How a machine's symbols are finished: the colour of their contour and of the light on them. */
export type Finish = { contour: string; light: string; shade: string };

type Pen = CanvasRenderingContext2D;

/** The part of the square that the shapes take: contour and shadow need the rest. */
const FILLED = 0.86;
/** How far the contour reaches beyond the shapes, by the size of the picture. */
const CONTOUR = 0.03;

/** A canvas with its pen, transparent and of whole pixels. */
export function blankCanvas(
  width: number,
  height: number,
): { canvas: HTMLCanvasElement; pen: Pen } {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.ceil(width));
  canvas.height = Math.max(1, Math.ceil(height));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no 2D drawing here");
  return { canvas, pen };
}

/**
 * A symbol on a canvas of its own: shapes over a dark contour, lit from above, with a soft shadow. The finish is what
 * makes shapes of different origin one family, and keeps them apart from any ground.
 */
export function symbolCanvas(drawing: Drawing, size: number, finish: Finish): HTMLCanvasElement {
  const shapes = shapesOf(drawing);
  const lit = blankCanvas(size, size);
  fit(lit.pen, drawing, size, FILLED);
  drawShapes(lit.pen, shapes);
  light(lit.pen, size, finish);
  const { canvas, pen } = blankCanvas(size, size);
  pen.shadowColor = "rgb(0 0 0 / 0.45)";
  pen.shadowBlur = size * 0.035;
  pen.shadowOffsetY = size * 0.025;
  const scale = fit(pen, drawing, size, FILLED);
  drawContour(pen, shapes, finish.contour, (2 * CONTOUR * size) / scale);
  pen.resetTransform();
  pen.shadowColor = "transparent";
  pen.drawImage(lit.canvas, 0, 0);
  return canvas;
}

/** Plain shapes without contour, for small things that fly about. */
export function bitCanvas(drawing: Drawing, size: number): HTMLCanvasElement {
  const { canvas, pen } = blankCanvas(size, size);
  fit(pen, drawing, size, 1);
  drawShapes(pen, shapesOf(drawing));
  return canvas;
}

/** The symbol as it looks when it runs past: drawn over itself upwards and downwards. */
export function smearedCanvas(sharp: HTMLCanvasElement): HTMLCanvasElement {
  const size = sharp.width;
  const { canvas, pen } = blankCanvas(size, size);
  const steps = 14;
  pen.globalAlpha = 0.13;
  for (let step = -steps; step <= steps; step += 1) {
    pen.drawImage(sharp, 0, (step / steps) * size * 0.24);
  }
  return canvas;
}

type Shape = { colour: string; how: Layer[2]; path: Path2D };

function shapesOf({ layers }: Drawing): Shape[] {
  return layers.map(([colour, path, how]) => ({ colour, how, path: new Path2D(path) }));
}

/** Lets the pen draw so that the drawing fills this part of a square; how much larger it gets. */
function fit(pen: Pen, { box: [x, y, side] }: Drawing, size: number, part: number): number {
  const scale = (size * part) / side;
  const margin = (size * (1 - part)) / 2;
  pen.setTransform(scale, 0, 0, scale, margin - x * scale, margin - y * scale);
  pen.lineJoin = "round";
  pen.lineCap = "round";
  return scale;
}

function drawContour(pen: Pen, shapes: readonly Shape[], colour: string, width: number): void {
  pen.strokeStyle = colour;
  for (const { path, how } of shapes) {
    pen.lineWidth = width + (typeof how === "number" ? how : 0);
    pen.stroke(path);
  }
}

function drawShapes(pen: Pen, shapes: readonly Shape[]): void {
  for (const { colour, how, path } of shapes) {
    pen.fillStyle = colour;
    pen.strokeStyle = colour;
    if (typeof how === "number") {
      pen.lineWidth = how;
      pen.stroke(path);
    } else pen.fill(path, how ?? "nonzero");
  }
}

/** Light from above and shade from below, only where something was drawn. */
function light(pen: Pen, size: number, finish: Finish): void {
  pen.resetTransform();
  pen.globalCompositeOperation = "source-atop";
  const down = pen.createLinearGradient(0, 0, 0, size);
  down.addColorStop(0.05, finish.light);
  down.addColorStop(0.5, "rgb(255 255 255 / 0)");
  down.addColorStop(0.55, "rgb(0 0 0 / 0)");
  down.addColorStop(0.98, finish.shade);
  pen.fillStyle = down;
  pen.fillRect(0, 0, size, size);
  const gleam = pen.createRadialGradient(
    size * 0.34,
    size * 0.26,
    0,
    size * 0.34,
    size * 0.26,
    size * 0.42,
  );
  gleam.addColorStop(0, "rgb(255 255 255 / 0.34)");
  gleam.addColorStop(1, "rgb(255 255 255 / 0)");
  pen.fillStyle = gleam;
  pen.fillRect(0, 0, size, size);
  pen.globalCompositeOperation = "source-over";
}
