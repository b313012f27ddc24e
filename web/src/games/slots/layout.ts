import type { Grid, Place } from "./book";

export type Box = { x: number; y: number; width: number; height: number };
export type Point = { x: number; y: number };

/** The grid in its room: where it begins and how large a place is. */
export type Board = Box & { reels: number; rows: number; cellWidth: number; cellHeight: number };

/** Places are at most so large, and at most so much higher than wide. */
const MOST_CELL = 148;
const MOST_STRETCH = 1.16;

/** The largest grid that fits, in the middle of its room. */
export function fitBoard(room: Box, reels: number, rows: number): Board {
  const cellWidth = Math.floor(Math.min(room.width / reels, room.height / rows, MOST_CELL));
  const cellHeight = Math.floor(Math.min(room.height / rows, cellWidth * MOST_STRETCH));
  const [width, height] = [cellWidth * reels, cellHeight * rows];
  const x = Math.round(room.x + (room.width - width) / 2);
  const y = Math.round(room.y + (room.height - height) / 2);
  return { x, y, width, height, reels, rows, cellWidth, cellHeight };
}

/** The middle of a place, from the corner of the grid. */
export function centre({ cellWidth, cellHeight }: Board, [reel, row]: Place): Point {
  return { x: (reel + 0.5) * cellWidth, y: (row + 0.5) * cellHeight };
}

/** A line from edge to edge through a row of each reel. */
export function linePoints(board: Board, rows: readonly number[]): Point[] {
  const middle = rows.map((row, reel) => centre(board, [reel, row]));
  const [first, last] = [middle[0], middle.at(-1)];
  if (!first || !last) return [];
  return [{ x: 0, y: first.y }, ...middle, { x: board.width, y: last.y }];
}

/** An edge of places that hang together, in places: from a corner to the next. */
export type Edge = readonly [from: Place, to: Place];

/** The outline of places: every side that has no other of them behind it. */
export function outline(places: readonly Place[]): Edge[] {
  const known = new Set(places.map((place) => place.join()));
  const sides = places.flatMap(([reel, row]): { behind: string; edge: Edge }[] => [
    {
      behind: `${reel},${row - 1}`,
      edge: [
        [reel, row],
        [reel + 1, row],
      ],
    },
    {
      behind: `${reel},${row + 1}`,
      edge: [
        [reel, row + 1],
        [reel + 1, row + 1],
      ],
    },
    {
      behind: `${reel - 1},${row}`,
      edge: [
        [reel, row],
        [reel, row + 1],
      ],
    },
    {
      behind: `${reel + 1},${row}`,
      edge: [
        [reel + 1, row],
        [reel + 1, row + 1],
      ],
    },
  ]);
  return sides.filter(({ behind }) => !known.has(behind)).map(({ edge }) => edge);
}

/** A symbol on its way down: from a row (above the grid if it is new) to a row. */
export type Drop = { reel: number; from: number; to: number; symbol: number };

/** How symbols move when others are taken away below them; those that stay are not among them. */
export function dropsOf(before: Grid, gone: readonly Place[], after: Grid): Drop[] {
  const isGone = new Set(gone.map((place) => place.join()));
  return after.flatMap((symbols, reel) => {
    const kept = (before[reel] ?? []).flatMap((_, row) =>
      isGone.has(`${reel},${row}`) ? [] : [row],
    );
    const fresh = symbols.length - kept.length;
    return symbols.flatMap((symbol, to) => {
      const from = to < fresh ? to - fresh : (kept[to - fresh] ?? to);
      return from === to ? [] : [{ reel, from, to, symbol }];
    });
  });
}

/** The reels on which one more scatter would give free spins: these take their time to stop. */
export function teasedReels(grid: Grid, scatter: number | null, needed: number): boolean[] {
  let seen = 0;
  return grid.map((symbols) => {
    const teased = scatter !== null && needed > 1 && seen >= needed - 1;
    seen += symbols.filter((symbol) => symbol === scatter).length;
    return teased;
  });
}
