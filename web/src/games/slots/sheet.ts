import type { Machine } from "@/lib/fair/games/slots";
import { multipleText } from "@/lib/fair/games/multiple";
import { type Units, formatDecimal, moneyText } from "@/lib/money/money";

import { el } from "../frame/dom";
import type { Theme } from "../protocol";
import { reelsOf } from "./machine";
import { type Pay, amountOf, freeSpinsOf, paysOf, symbolsOf } from "./pays";
import { symbolCanvas } from "./pen";
import type { Style } from "./style";
import { nameOf } from "./tell";
import type { SlotSeat } from "./words";

const PICTURE = 104;
/** The jackpot falls with the chance of the stake in so many ten-thousandths. */
const JACKPOT: Units = 50_000_000_000n;

/** The part of the rules sheet that a machine fills: how it pays, what every symbol pays, and its features. */
export function slotSheet(
  machine: Machine,
  style: Style,
  seat: SlotSeat,
  theme: Theme,
): readonly HTMLElement[] {
  const { text, money } = seat;
  const stake = seat.stake();
  const cards = symbolsOf(machine).map((symbol) =>
    card(machine, style, seat, symbol, stake, theme),
  );
  const staked = stake === null ? [] : [text("slots.for_stake", money(moneyText(stake)))];
  return [
    el("p", {}, aboutPays(machine, seat)),
    el("h3", {}, text("slots.symbols")),
    ...staked.map((line) => el("p", { class: "muted" }, line)),
    el("ul", { class: "slots-pays" }, ...cards),
    ...lineMaps(machine, seat),
    ...features(machine, seat).map((line) => el("p", {}, line)),
  ];
}

function aboutPays(machine: Machine, { text }: SlotSeat): string {
  const { pays, rows } = machine;
  if (pays === "ways") return text("slots.about_ways", rows ** reelsOf(machine));
  if ("lines" in pays) return text("slots.about_lines", pays.lines.length);
  return text("slots.about_clusters", pays.clusters[0] ?? 0);
}

function features({ falls, scatter, most }: Machine, seat: SlotSeat): string[] {
  const { text } = seat;
  const ladder = (steps: readonly number[]) => [...new Set(steps)].join(", ×");
  return [
    ...(falls ? [text("slots.about_falls", ladder(falls.paid), ladder(falls.free))] : []),
    ...(scatter && scatter.multiplier > 1 ? [text("slots.about_times", scatter.multiplier)] : []),
    text(
      "slots.about_most",
      formatDecimal(multipleText({ top: BigInt(most), bottom: 100n }), seat.lang),
    ),
    ...(seat.jackpot() === null ? [] : aboutJackpot(seat)),
  ];
}

/** The chance is told for the stake as it is set: one in so many. */
function aboutJackpot({ text, money, lang, stake }: SlotSeat): string[] {
  const units = stake();
  const chance =
    units === null
      ? []
      : [
          text(
            "slots.jackpot_chance",
            money(moneyText(units)),
            formatDecimal(String(JACKPOT / units), lang),
          ),
        ];
  return [[text("slots.about_jackpot"), ...chance].join(" ")];
}

/** A symbol with its picture, its name, what it does and what it pays. */
function card(
  machine: Machine,
  style: Style,
  seat: SlotSeat,
  symbol: number,
  stake: Units | null,
  theme: Theme,
): HTMLElement {
  const drawing = style.art[symbol];
  const picture =
    drawing && symbolCanvas(drawing, PICTURE, style.tone({ theme, free: false }).finish);
  picture?.setAttribute("aria-hidden", "true");
  const isScatter = symbol === machine.scatter?.symbol;
  const rows = isScatter
    ? scatterRows(machine, seat, stake)
    : payRows(machine, seat, symbol, stake);
  const about = aboutSymbol(machine, style, seat, symbol);
  return el(
    "li",
    {},
    ...(picture ? [picture] : []),
    el(
      "div",
      {},
      el("h4", {}, nameOf(style, symbol, seat), ...badge(machine, seat, symbol)),
      ...about.map((line) => el("p", {}, line)),
      ...(rows.length > 0 ? [el("dl", {}, ...rows.map(row))] : []),
    ),
  );
}

type Row = readonly [count: string, worth: string];

function row([count, worth]: Row): HTMLElement {
  return el("div", {}, el("dt", {}, count), el("dd", {}, worth));
}

function payRows(machine: Machine, seat: SlotSeat, symbol: number, stake: Units | null): Row[] {
  return paysOf(machine, symbol).map((pay) => [pay.count, worthOf(pay, seat, stake)]);
}

/** Scatters give free spins, and on some machines money too. */
function scatterRows(machine: Machine, seat: SlotSeat, stake: Units | null): Row[] {
  const pays = paysOf(machine, machine.scatter?.symbol ?? -1);
  return freeSpinsOf(machine)
    .toReversed()
    .map(({ count, spins }) => {
      const pay = pays.find((one) => one.count === count);
      const free = seat.text("slots.gives", spins);
      return [count, pay ? `${free} + ${worthOf(pay, seat, stake)}` : free];
    });
}

function worthOf(pay: Pay, { times, money }: SlotSeat, stake: Units | null): string {
  return stake === null
    ? times(multipleText(pay.multiple))
    : money(moneyText(amountOf(pay, stake)));
}

function badge({ wild, scatter }: Machine, { text }: SlotSeat, symbol: number): HTMLElement[] {
  if (symbol === wild) return [el("span", { class: "slots-badge" }, text("slots.wild"))];
  if (symbol === scatter?.symbol)
    return [el("span", { class: "slots-badge" }, text("slots.scatter"))];
  return [];
}

function aboutSymbol(machine: Machine, style: Style, seat: SlotSeat, symbol: number): string[] {
  const { text } = seat;
  const { wild, scatter } = machine;
  if (symbol === wild) {
    if (!scatter) return [text("slots.about_wild_all")];
    return [text("slots.about_wild", nameOf(style, scatter.symbol, seat))];
  }
  if (symbol !== scatter?.symbol) return [];
  return [text("slots.about_scatter")];
}

/** Every line as a little map of the grid. */
function lineMaps({ pays, rows }: Machine, { text }: SlotSeat): HTMLElement[] {
  if (typeof pays !== "object" || !("lines" in pays)) return [];
  const maps = pays.lines.map((line, i) => {
    const cells = Array.from({ length: rows * line.length }, (_, at) => {
      const [row, reel] = [Math.floor(at / line.length), at % line.length];
      return el("i", { class: line[reel] === row ? "on" : "" });
    });
    const map = el("span", { class: "slots-map", "aria-hidden": "true" }, ...cells);
    map.style.setProperty("--reels", String(line.length));
    const through = line.map((row) => row + 1).join(", ");
    return el(
      "li",
      {},
      map,
      el("span", { "aria-hidden": "true" }, String(i + 1)),
      el("span", { class: "said" }, `${text("slots.line", i + 1)}: ${through}`),
    );
  });
  return [el("h3", {}, text("slots.lines")), el("ol", { class: "slots-lines" }, ...maps)];
}
