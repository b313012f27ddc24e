import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { type SlotCode, machines } from "@/lib/fair/games/slots";
import { moneyUnits } from "@/lib/money/money";

import { type SlotEvent, readBook } from "./book";
import { dropsOf } from "./layout";

type Case = { game: string; stake: string; payout: string; events: SlotEvent[] };

const rounds = (
  JSON.parse(
    readFileSync(new URL("../../../../vectors/games.json", import.meta.url), "utf8"),
  ) as Case[]
).filter(({ game }) => game in machines);
const codes = Object.keys(machines) as SlotCode[];

const shown = ({ game, stake, events }: Case) =>
  readBook(events, machines[game as SlotCode], moneyUnits(stake));

describe("a book as it is shown", () => {
  it.each(codes)("counts up to the payout in every shared round of %s", (code) => {
    const own = rounds.filter(({ game }) => game === code);
    expect(own.length).toBeGreaterThanOrEqual(20);
    for (const round of own) {
      const { turns, payout } = shown(round);
      expect(payout).toBe(moneyUnits(round.payout));
      expect(turns.at(-1)?.total).toBe(payout);
      const totals = turns.map(({ total }) => total);
      expect(totals).toEqual(totals.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      // Single wins are shown to the ten-thousandth, the payout is rounded down to the hundredth.
      const wins = turns.reduce((sum, { paid }) => sum + paid, 0n);
      expect(wins - payout).toBeLessThan(200n);
      expect(wins).toBeGreaterThanOrEqual(payout - 200n);
    }
  });

  it("knows the line of every win on lines, in order", () => {
    let seen = 0;
    for (const round of rounds.filter(({ game }) => game === "reef" || game === "sari")) {
      const { pays, scatter } = machines[round.game as SlotCode];
      const lines = typeof pays === "object" && "lines" in pays ? pays.lines : [];
      for (const stand of shown(round).turns.flatMap(({ stands }) => stands)) {
        const own = stand.wins.filter(({ symbol }) => symbol !== scatter?.symbol);
        for (const { line, places } of own) {
          const rows = lines[line ?? -1]?.slice(0, places.length);
          expect(rows).toEqual(places.map(([, row]) => row));
          seen += 1;
        }
        const numbers = own.map(({ line }) => line ?? -1);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  it("numbers free spins and says what wins count there", () => {
    const events: SlotEvent[] = [
      { type: "spin", reels: [[1], [1], [1]], free: false },
      { type: "win", symbol: 1, places: [[0, 0]], ways: 1, multiplier: "2" },
      { type: "free", spins: 2 },
      { type: "spin", reels: [[2], [2], [2]], free: true },
      { type: "win", symbol: 2, places: [[0, 0]], ways: 1, multiplier: "0.275" },
      { type: "spin", reels: [[3], [2], [2]], free: true },
      { type: "payout", amount: "22.75", multiplier: "2.275" },
    ];
    const { turns, freeSpins } = readBook(events, machines.reef, moneyUnits("10"));
    expect(freeSpins).toBe(2);
    expect(turns.map(({ free, gives, stands }) => [free, gives, stands[0]?.times])).toEqual([
      [null, 2, 1],
      [1, 0, 2],
      [2, 0, 2],
    ]);
    expect(turns.map(({ paid }) => paid)).toEqual([200_000n, 27_500n, 0n]);
  });

  it("climbs with every fall, and its symbols fall to where the book has them", () => {
    let falls = 0;
    for (const round of rounds.filter(({ game }) => game === "fiesta")) {
      for (const { stands, free } of shown(round).turns) {
        const ladder = machines.fiesta.falls?.[free === null ? "paid" : "free"] ?? [];
        stands.forEach(({ grid, times, wins }, i) => {
          expect(times).toBe(ladder[Math.min(i, ladder.length - 1)]);
          const after = stands[i + 1];
          if (!after) return;
          const gone = wins.flatMap(({ places }) => places);
          for (const { reel, from, to, symbol } of dropsOf(grid, gone, after.grid)) {
            expect(after.grid[reel]?.[to]).toBe(symbol);
            expect(from < 0 ? symbol : grid[reel]?.[from]).toBe(symbol);
          }
          falls += 1;
        });
      }
    }
    expect(falls).toBeGreaterThan(10);
  });

  it("shows no more than the machine pays at most, and whether the jackpot fell", () => {
    const events: SlotEvent[] = [
      { type: "spin", reels: [[0], [0], [0]], free: false },
      { type: "win", symbol: 0, places: [[0, 0]], ways: 1, multiplier: "1200" },
      { type: "most" },
      { type: "jackpot", drawn: 7, won: true },
      { type: "payout", amount: "1000", multiplier: "1000" },
    ];
    const show = readBook(events, machines.sari, moneyUnits("1"));
    expect([show.isMost, show.jackpot, show.turns[0]?.total]).toEqual([true, true, 10_000_000n]);
  });
});
