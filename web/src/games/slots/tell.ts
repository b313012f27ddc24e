import type { Machine } from "@/lib/fair/games/slots";
import { moneyText, moneyUnits } from "@/lib/money/money";

import type { Telling } from "../frame/game";
import type { GameRound } from "../protocol";
import { type Grid, type Lit, type Show, type SlotEvent, readBook } from "./book";
import type { Style } from "./style";
import type { SlotSeat } from "./words";

/** So many wins of one round are told one by one; a screen reader has better things to do than to read fifty. */
const TOLD = 8;

export function nameOf({ art }: Style, symbol: number, seat: SlotSeat): string {
  const key = art[symbol]?.key;
  return key === undefined ? "" : seat.text(key);
}

/** A win in words: “3 × Turtle on line 4, pays ₱2.50”. */
export function tellWin(win: Lit, machine: Machine, style: Style, seat: SlotSeat): string {
  const { text } = seat;
  const name = nameOf(style, win.symbol, seat);
  const pays = seat.money(moneyText(win.amount));
  if (win.symbol === machine.scatter?.symbol) {
    return text("slots.said_scatter", win.places.length, name, pays);
  }
  if (machine.pays === "ways") {
    const reels = new Set(win.places.map(([reel]) => reel)).size;
    if (win.ways === 1) return text("slots.said_way", reels, name, pays);
    return text("slots.said_ways", reels, name, win.ways, pays);
  }
  if (win.line === null) return text("slots.said_cluster", win.places.length, name, pays);
  return text("slots.said_line", win.places.length, name, win.line + 1, pays);
}

/** What lies on the reels: “Reel 1: Turtle, Crab, Pearl”. */
export function tellReels(grid: Grid, style: Style, seat: SlotSeat): string[] {
  return grid.map((symbols, i) => {
    const names = symbols.map((symbol) => nameOf(style, symbol, seat)).join(", ");
    return seat.text("slots.said_reel", i + 1, names);
  });
}

/** A round in words, for its chip in the history and for screen readers. */
export function tellRound(
  machine: Machine,
  style: Style,
  seat: SlotSeat,
  { book, stake, payout, jackpot }: GameRound,
): Telling {
  const show = readBook(book as readonly SlotEvent[], machine, moneyUnits(stake));
  const multiple = (moneyUnits(payout) * 10_000n) / moneyUnits(stake);
  return {
    chip: show.jackpot ? seat.text("slots.jackpot") : seat.times(moneyText(multiple)),
    said: sentences(show, machine, style, seat, jackpot).join(". "),
  };
}

function sentences(
  show: Show,
  machine: Machine,
  style: Style,
  seat: SlotSeat,
  jackpot: string | null,
): string[] {
  const { text } = seat;
  const [paid, ...free] = show.turns;
  const wins = paid?.stands.flatMap((stand) => stand.wins) ?? [];
  const told = wins.slice(0, TOLD).map((win) => tellWin(win, machine, style, seat));
  if (wins.length > TOLD) told.push(text("slots.said_more", wins.length - TOLD));
  if (free.length > 0) {
    const sum = free.reduce((all, turn) => all + turn.paid, 0n);
    told.push(text("slots.said_free", show.freeSpins, seat.money(moneyText(sum))));
  }
  if (show.isMost) told.push(text("slots.most"));
  if (show.jackpot) told.push(text("slots.jackpot_won"));
  if (jackpot !== null) told.push(seat.money(jackpot));
  return told.map((sentence) => sentence.replace(/[.!]$/, "")).concat(told.length > 0 ? [""] : []);
}
