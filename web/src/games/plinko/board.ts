import type { Box } from "../frame/canvas";

/** Where things are on a board of so many rows. */
export type Board = {
  rows: number;
  gap: number;
  step: number;
  x: number;
  y: number;
  pocket: number;
};
export type Point = { x: number; y: number };

/** The largest board that fits; pockets are one gap high, within reason. */
export function fitBoard(rows: number, room: Box): Board {
  const gap = Math.min(room.width / (rows + 1.1), room.height / (rows * 0.55 + 2), 62);
  const pocket = Math.max(16, Math.min(gap * 0.8, 34));
  const step = Math.min(gap, (room.height - pocket - gap * 0.9) / rows);
  const height = step * rows + pocket + gap * 0.9;
  const y = room.y + (room.height - height) / 2 + gap * 0.6;
  return { rows, gap, step, x: room.x + room.width / 2, y, pocket };
}

/** The pegs of a row: one more than the row's number, and one at each side so that the pearl has something beside it. */
export function pegsOf(board: Board, row: number): Point[] {
  return Array.from({ length: row + 3 }, (_, i) => ({
    x: board.x + (i - (row + 2) / 2) * board.gap,
    y: board.y + row * board.step,
  }));
}

/** The pegs that the pearl touches, and last its pocket; 1 in the path is to the right. */
export function touched(board: Board, path: readonly number[]): Point[] {
  let right = 0;
  const points = path.map((step, row) => {
    const point = { x: board.x + (right - row / 2) * board.gap, y: board.y + row * board.step };
    right += step;
    return point;
  });
  return [...points, pocketAt(board, right)];
}

/** The middle of a pocket, counted from the left. */
export function pocketAt(board: Board, pocket: number): Point {
  const { rows, gap, step } = board;
  return {
    x: board.x + (pocket - rows / 2) * gap,
    y: board.y + (rows - 0.35) * step + board.pocket / 2,
  };
}

/** Between two touches the pearl hops: up a little, then down faster and faster. */
export function hop(from: Point, to: Point, part: number): Point {
  const up = 0.55;
  return {
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * (part * part * (1 + up) - part * up),
  };
}

/** What a pocket pays, as short as it can be said: 40 → "0.4", 1200 → "12". */
export function shortTimes(hundredths: number): string {
  return String(hundredths / 100);
}

/** How likely a pocket is: so many of 2^rows paths. */
export function pathsTo(rows: number, pocket: number): bigint {
  let paths = 1n;
  for (let i = 0; i < pocket; i += 1) paths = (paths * BigInt(rows - i)) / BigInt(i + 1);
  return paths;
}
