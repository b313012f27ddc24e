import type { Machine } from "@/lib/fair/games/slots";
import { multipleText } from "@/lib/fair/games/multiple";
import { type Units, moneyText } from "@/lib/money/money";

import { el } from "../frame/dom";
import type { Theme } from "../protocol";
import { amountOf, freeSpinsOf, paysOf, symbolsOf } from "./pays";
import { symbolCanvas } from "./pen";
import type { Style } from "./style";
import { nameOf } from "./tell";
import type { SlotSeat } from "./words";

const PICTURE = 104;

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
  return [
    el("p", {}, aboutPays(machine, seat)),
    ...features(machine, seat).map((line) => el("p", {}, line)),
    el("h3", {}, text("slots.symbols")),
    ...(stake === null
      ? []
      : [el("p", { class: "muted" }, text("slots.for_stake", money(moneyText(stake))))]),
    el("ul", { class: "slots-pays" }, ...cards),
    ...lineMaps(machine, seat),
  ];
}

function aboutPays({ pays, rows, source }: Machine, { text }: SlotSeat): string {
  if (pays === "ways") {
    const reels = "strips" in source ? source.strips.length : source.weights.reels;
    return text("slots.about_ways", rows ** reels);
  }
  if ("lines" in pays) return text("slots.about_lines", pays.lines.length);
  return text("slots.about_clusters", pays.clusters[0] ?? 0);
}

function features({ falls, scatter, most }: Machine, seat: SlotSeat): string[] {
  const { text } = seat;
  const ladder = (steps: readonly number[]) => [...new Set(steps)].join(", ×");
  return [
    ...(falls ? [text("slots.about_falls", ladder(falls.paid), ladder(falls.free))] : []),
    ...(scatter && scatter.multiplier > 1 ? [text("slots.about_times", scatter.multiplier)] : []),
    text("slots.about_most", seat.times(multipleText({ top: BigInt(most), bottom: 100n }))),
    ...(seat.jackpot() === null ? [] : [text("slots.about_jackpot")]),
  ];
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
  const rows = paysOf(machine, symbol).map((pay) => {
    const worth =
      stake === null
        ? seat.times(multipleText(pay.multiple))
        : seat.money(moneyText(amountOf(pay, stake)));
    return el("div", {}, el("dt", {}, pay.count), el("dd", {}, worth));
  });
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
      ...(rows.length > 0 ? [el("dl", {}, ...rows)] : []),
    ),
  );
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
  const spins = freeSpinsOf(machine).map(
    ({ count, spins }) => `${count} → ${text("slots.gives", spins)}`,
  );
  return [text("slots.about_scatter"), ...spins];
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
