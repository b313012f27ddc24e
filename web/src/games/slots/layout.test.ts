import { describe, expect, it } from "vitest";

import { centre, dropsOf, fitBoard, linePoints, outline, teasedReels } from "./layout";

const room = { x: 10, y: 20, width: 400, height: 300 };

describe("the grid in its room", () => {
  it("is as large as the narrower side allows, and in the middle", () => {
    const board = fitBoard(room, 5, 3);
    expect([board.cellWidth, board.cellHeight]).toEqual([80, 92]);
    expect([board.x, board.y, board.width, board.height]).toEqual([10, 32, 400, 276]);
    const high = fitBoard({ ...room, height: 150 }, 5, 3);
    expect([high.cellWidth, high.cellHeight, high.x]).toEqual([50, 50, 85]);
  });

  it("never makes places larger than their pictures", () => {
    expect(fitBoard({ ...room, width: 4000, height: 4000 }, 3, 3).cellWidth).toBe(148);
  });

  it("draws lines from edge to edge through the middle of places", () => {
    const board = fitBoard(room, 5, 3);
    const points = linePoints(board, [1, 0, 1, 2, 1]);
    expect(points[0]).toEqual({ x: 0, y: 138 });
    expect(points[2]).toEqual(centre(board, [1, 0]));
    expect(points.at(-1)).toEqual({ x: 400, y: 138 });
    expect(linePoints(board, [])).toEqual([]);
  });
});

describe("the outline of a cluster", () => {
  it("has four sides for one place, and none between two", () => {
    expect(outline([[2, 1]])).toHaveLength(4);
    const two = outline([
      [0, 0],
      [1, 0],
    ]);
    expect(two).toHaveLength(6);
    expect(two).not.toContainEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});

describe("falling symbols", () => {
  it("come from above and from the top, and those that stay are left alone", () => {
    const before = [
      [5, 6, 7],
      [1, 2, 3],
    ];
    const after = [
      [9, 5, 7],
      [1, 2, 3],
    ];
    expect(dropsOf(before, [[0, 1]], after)).toEqual([
      { reel: 0, from: -1, to: 0, symbol: 9 },
      { reel: 0, from: 0, to: 1, symbol: 5 },
    ]);
  });
});

describe("reels that are hoped for", () => {
  it("are those after two of three scatters", () => {
    const grid = [[1], [4], [1], [4], [4]];
    expect(teasedReels(grid, 1, 3)).toEqual([false, false, false, true, true]);
    expect(teasedReels([[4], [4], [1], [1], [1]], 1, 3)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it("are none on a machine without scatters", () => {
    expect(teasedReels([[0], [0], [0]], null, 0)).toEqual([false, false, false]);
  });
});
