import type { Board } from "./layout";
import { blankCanvas } from "./pen";
import type { Tone } from "./style";

/** The frame around the grid, by the width of a place. */
export function frameWidth(board: Board): number {
  return Math.max(6, Math.min(16, board.cellWidth * 0.1));
}

/** The grid without symbols: a frame with leaf corners, and a shell pane for every place. */
export function boardCanvas(board: Board, tone: Tone, sharp: number): HTMLCanvasElement {
  const frame = frameWidth(board);
  const [width, height] = [board.width + 2 * frame, board.height + 2 * frame];
  const { canvas, pen } = blankCanvas(width * sharp, height * sharp);
  pen.scale(sharp, sharp);
  const large = Math.min(34, board.cellWidth * 0.36);
  pen.fillStyle = fade(pen, height, tone.frame);
  leaf(pen, 0.75, 0.75, width - 1.5, height - 1.5, large * 0.35, large);
  pen.fill();
  pen.strokeStyle = tone.edge;
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.fillStyle = tone.board;
  leaf(pen, frame - 2, frame - 2, board.width + 4, board.height + 4, large * 0.22, large * 0.75);
  pen.fill();
  pen.translate(frame, frame);
  for (let reel = 0; reel < board.reels; reel += 1) {
    for (let row = 0; row < board.rows; row += 1) pane(pen, board, reel, row, tone);
  }
  return canvas;
}

type Pen = CanvasRenderingContext2D;

function pane(pen: Pen, board: Board, reel: number, row: number, tone: Tone): void {
  const { cellWidth, cellHeight } = board;
  const gap = Math.max(1.5, cellWidth * 0.022);
  const [w, h] = [cellWidth - 2 * gap, cellHeight - 2 * gap];
  pen.save();
  pen.translate(reel * cellWidth + gap, row * cellHeight + gap);
  leaf(pen, 0, 0, w, h, w * 0.05, w * 0.16);
  pen.fillStyle = fade(pen, h, tone.pane);
  pen.fill();
  pen.clip();
  pen.strokeStyle = tone.ring;
  pen.lineWidth = 1;
  for (let radius = w * 0.22; radius < w * 1.5; radius += w * 0.16) {
    pen.beginPath();
    pen.arc(0, 0, radius, 0, Math.PI / 2);
    pen.stroke();
  }
  pen.restore();
}

function fade(pen: Pen, height: number, [top, bottom]: readonly [string, string]): CanvasGradient {
  const down = pen.createLinearGradient(0, 0, 0, height);
  down.addColorStop(0, top);
  down.addColorStop(1, bottom);
  return down;
}

/** A rectangle with two small corners and two large ones, like a leaf. */
export function leaf(
  pen: Pen,
  x: number,
  y: number,
  width: number,
  height: number,
  small: number,
  large: number,
): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, [small, large, small, large]);
}
