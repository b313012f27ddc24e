import { describe, expect, it } from "vitest";

import { machines } from "@/lib/fair/games/slots";
import all from "@/locales/en/games/slots/all.json";
import reef from "@/locales/en/games/slots/reef.json";
import windows from "@/locales/en/games/slots/windows.json";

import { frameText } from "../frame/text";
import type { GameRound } from "../protocol";
import { reefStyle } from "./styles/reef";
import { windowsStyle } from "./styles/windows";
import { tellReels, tellRound } from "./tell";
import type { SlotSeat } from "./words";

const seat = {
  text: frameText<string>({ ...all, ...reef, ...windows }),
  money: (amount: string) => `₱${amount}`,
  times: (multiple: string) => `${multiple}×`,
} as unknown as SlotSeat;

function round(gameCode: string, payout: string, book: GameRound["book"]): GameRound {
  const last = { type: "payout", amount: payout, multiplier: "0" };
  const rest = { id: "r", choice: {}, actions: [], state: "over", cashOut: null } as const;
  const won = book.some(({ type }) => type === "jackpot") ? "812345.67" : null;
  return { ...rest, jackpot: won, gameCode, stake: "10", payout, book: [...book, last] };
}

const line = (symbol: number) => ({
  type: "win",
  symbol,
  places: [
    [0, 0],
    [1, 0],
    [2, 0],
  ],
  ways: 1,
  multiplier: "0.3",
});

describe("a round in words", () => {
  it("says what won, how and how much", () => {
    const book = [
      { type: "spin", reels: [[2], [2], [2], [5], [5]], free: false },
      { ...line(1), multiplier: "2" },
      line(2),
    ];
    expect(tellRound(machines.reef, reefStyle, seat, round("reef", "23", book))).toEqual({
      chip: "2.3×",
      said: "3 × Shell anywhere, pays ₱20. 3 × Turtle on line 2, pays ₱3. ",
    });
    const ways = [book[0], { ...line(2), ways: 4 }, line(3)] as GameRound["book"];
    const { said } = tellRound(machines.windows, windowsStyle, seat, round("windows", "6", ways));
    expect(said).toBe("3 × Capiz window in 4 ways, pays ₱3. 3 × Guitar in one way, pays ₱3. ");
  });

  it("keeps many wins and free spins short", () => {
    const book = [
      { type: "spin", reels: [[2], [2], [2], [5], [5]], free: false },
      ...Array.from({ length: 11 }, () => ({ ...line(1), multiplier: "1" })),
      { type: "free", spins: 8 },
      { type: "spin", reels: [[2], [2], [2], [5], [5]], free: true },
      { ...line(1), multiplier: "5" },
    ];
    const { said } = tellRound(machines.reef, reefStyle, seat, round("reef", "160", book));
    expect(said.match(/Shell/g)).toHaveLength(8);
    expect(said).toContain("And 3 more wins. 8 free spins paid ₱50 together. ");
  });

  it("says that the jackpot was won, and how much it was", () => {
    const spin = { type: "spin", reels: [[2], [3], [4]], free: false };
    const book = [spin, { type: "jackpot", drawn: 7, won: true }];
    const { said } = tellRound(machines.windows, windowsStyle, seat, round("windows", "0", book));
    expect(said).toBe("You won the jackpot. ₱812345.67. ");
  });

  it("says nothing of a spin without wins but its chip", () => {
    const book = [{ type: "spin", reels: [[2], [3], [4], [5], [6]], free: false }];
    const told = tellRound(machines.reef, reefStyle, seat, round("reef", "0", book));
    expect(told).toEqual({ chip: "0×", said: "" });
  });

  it("names what lies on the reels", () => {
    expect(tellReels([[2, 5], [0]], reefStyle, seat)).toEqual([
      "Reel 1: Turtle, Crab",
      "Reel 2: Pearl",
    ]);
  });
});
