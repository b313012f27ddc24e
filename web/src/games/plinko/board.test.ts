import { describe, expect, it } from "vitest";

import { fitBoard, hop, pathsTo, pegsOf, pocketAt, shortTimes, touched } from "./board";

const room = { x: 10, y: 40, width: 366, height: 250 };

describe("plinko board", () => {
  it.each([8, 12, 16])("fits %i rows into the room", (rows) => {
    const board = fitBoard(rows, room);
    const [first, last] = [pocketAt(board, 0), pocketAt(board, rows)];
    expect(first.x - board.gap / 2).toBeGreaterThanOrEqual(room.x);
    expect(last.x + board.gap / 2).toBeLessThanOrEqual(room.x + room.width);
    expect(last.y + board.pocket / 2).toBeLessThanOrEqual(room.y + room.height + 0.01);
    expect(board.y).toBeGreaterThan(room.y);
  });

  it("touches one peg in each row and ends in the pocket that the path leads to", () => {
    const board = fitBoard(8, room);
    const path = [1, 0, 1, 1, 0, 0, 1, 0];
    const points = touched(board, path);
    expect(points).toHaveLength(9);
    points.slice(0, -1).forEach((point, row) => {
      expect(pegsOf(board, row)).toContainEqual(point);
    });
    expect(points.at(-1)).toEqual(pocketAt(board, 4));
    expect(
      touched(
        board,
        Array.from({ length: 8 }, () => 0),
      ).at(-1),
    ).toEqual(pocketAt(board, 0));
    expect(
      touched(
        board,
        Array.from({ length: 8 }, () => 1),
      ).at(-1),
    ).toEqual(pocketAt(board, 8));
  });

  it("hops from touch to touch", () => {
    const [from, to] = [
      { x: 0, y: 0 },
      { x: 10, y: 20 },
    ];
    expect(hop(from, to, 0)).toEqual(from);
    expect(hop(from, to, 1).y).toBeCloseTo(20);
    expect(hop(from, to, 0.2).y).toBeLessThan(0);
  });

  it("counts the paths to a pocket", () => {
    expect([0, 1, 4, 8].map((pocket) => pathsTo(8, pocket))).toEqual([1n, 8n, 70n, 1n]);
    expect([40, 57, 1200].map(shortTimes)).toEqual(["0.4", "0.57", "12"]);
  });
});
