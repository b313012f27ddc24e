import { digits, n, star } from "../svg.mjs";
import { SUITS, at, card } from "./shapes.mjs";
import { SYMBOLS, SYMBOL_NAMES } from "./symbols.mjs";

/** Props by family, for games without a prop of their own. Each returns its name and its drawing. */
export const FAMILIES = { slot, live, sports, lottery, fish, bingo, table, crash };
export const FAMILY_NAMES = Object.keys(FAMILIES);

const symbol = (name, c, size) => `<g transform="scale(${size})">${SYMBOLS[name](c)}</g>`;

function slot(c, r) {
  const [one, two, three] = r.shuffle(SYMBOL_NAMES);
  const layout = r.pick(["reels", "medal", "fan", "tower"]);
  if (layout === "reels") {
    const reels = [one, two, one].map((name, i) =>
      at((i - 1) * 76, r.int(24) - 12, card(68, 104, c, symbol(name, c, 0.6)), r.int(10) - 5),
    );
    return { name: `reels:${one}:${two}`, svg: reels.join("") };
  }
  if (layout === "medal") {
    const ring = `<circle cy="6" r="96" opacity=".3"/><circle r="94" fill="${c.pale}"/><circle r="82" fill="none" stroke="${c.pop}" stroke-width="5"/>`;
    return { name: `medal:${one}`, svg: `${ring}${symbol(one, c, 1.3)}` };
  }
  if (layout === "fan") {
    const cards = [two, three, one].map((name, i) =>
      at(
        (i - 1) * 54,
        i === 2 ? -10 : 20 - i * 20,
        card(90, 128, c, symbol(name, c, 0.8)),
        (i - 1) * 16,
      ),
    );
    return { name: `fan:${one}:${two}:${three}`, svg: cards.join("") };
  }
  const tower = `${symbol(one, c, 2.1)}${at(-78, 84, symbol(two, c, 0.6), -14)}${at(80, 80, symbol(three, c, 0.6), 14)}`;
  return { name: `tower:${one}:${two}:${three}`, svg: tower };
}

function live(c, r) {
  const suits = r.shuffle(Object.keys(SUITS));
  const count = 2 + r.int(3);
  const cards = Array.from({ length: count }, (_, i) => {
    const turn = (i - (count - 1) / 2) * 17;
    const mark = `<path d="${SUITS[suits[i % 4]]}" fill="${i % 2 ? c.ink : c.pop}" transform="scale(1.3)"/>${at(-36, -58, digits(2 + r.int(8), 20, c.ink))}`;
    return at((i - (count - 1) / 2) * 44, Math.abs(turn) * 0.9, card(104, 150, c, mark), turn);
  });
  return { name: `live:${suits.slice(0, count).join(":")}`, svg: cards.join("") };
}

function sports(c, r) {
  const kind = r.pick(["football", "basketball", "volleyball", "billiard"]);
  const body = {
    football: `<circle r="88" fill="${c.pale}"/><path d="${star(5, 34)}M0-34v-50M32-11l48-16M20 28l30 42M-20 28l-30 42M-32-11l-48-16" fill="${c.ink}" stroke="${c.ink}" stroke-width="5"/>`,
    basketball: `<circle r="88" fill="${c.pop}"/><path d="M-88 0h176M0-88v176M-62-62q60 62 0 124M62-62q-60 62 0 124" fill="none" stroke="${c.ink}" stroke-width="6"/>`,
    volleyball: `<circle r="88" fill="${c.pale}"/><path d="M0 0q-10-60-70-54M0 0q60-20 84 26M0 0q-30 50 6 88M-24-84q40 20 66 62M88 6q-36 20-76 50M-62 62q-6-50 8-80" fill="none" stroke="${c.pop}" stroke-width="7"/>`,
    billiard: `<circle r="88" fill="${c.ink}"/><circle cy="-14" cx="-10" r="40" fill="${c.pale}"/>${at(-10, -14, digits(8, 44, c.ink, 0.22))}`,
  }[kind];
  const shine = `<path d="M-64-34a72 72 0 0 1 50-40" fill="none" stroke="#fff" stroke-width="10" stroke-linecap="round" opacity=".7"/>`;
  return {
    name: `sports:${kind}`,
    svg: `<ellipse cy="98" rx="80" ry="12" opacity=".3"/>${body}${shine}`,
  };
}

function lottery(c, r) {
  const count = 3 + r.int(4);
  const numbers = Array.from({ length: count }, () => 1 + r.int(58));
  const spots = [
    [-58, -52],
    [54, -64],
    [-2, 10],
    [-76, 56],
    [76, 44],
    [6, 96],
  ].slice(0, count);
  const balls = spots.map(([x, y], i) => {
    const size = 52 - count * 2 + (i === 2 ? 10 : 0);
    const fill = [c.pop, c.pale, c.body, c.soft][(i + count) % 4];
    return at(
      x,
      y,
      `<circle cx="2" cy="5" r="${size}" opacity=".3"/><circle r="${size}" fill="${fill}"/><circle r="${n(size * 0.6)}" fill="#fff"/>${digits(numbers[i], size * 0.66, c.ink, 0.2)}`,
      r.int(30) - 15,
    );
  });
  return { name: `lottery:${numbers.join(":")}`, svg: balls.join("") };
}

function fish(c, r) {
  const count = 1 + r.int(3);
  const school = [
    [0, -20, 2],
    [-56, 70, 0.8],
    [62, 76, 0.7],
  ]
    .slice(0, count)
    .map(([x, y, s], i) =>
      at(x, y, symbol("fish", i ? { ...c, pop: c.pale } : c, s), r.int(30) - 15),
    );
  const bubbles = Array.from(
    { length: 7 },
    () =>
      `<circle cx="${r.int(200) - 100}" cy="${r.int(200) - 110}" r="${4 + r.int(10)}" fill="none" stroke="#fff" stroke-width="3" opacity=".7"/>`,
  );
  return { name: `fish:${count}`, svg: school.join("") + bubbles.join("") };
}

function bingo(c, r) {
  const lit = new Set(r.shuffle([...Array(25).keys()]).slice(0, 8));
  const cells = [...Array(25).keys()].map(
    (i) =>
      `<rect x="${(i % 5) * 34 - 83}" y="${Math.floor(i / 5) * 34 - 60}" width="30" height="30" rx="5" fill="${lit.has(i) ? c.pop : c.soft}"/>`,
  );
  return {
    name: `bingo:${[...lit].join(":")}`,
    svg: at(
      0,
      0,
      `${card(190, 216, c)}<path d="M-83-94h166v26h-166z" fill="${c.ink}"/>${cells.join("")}${at(-2, 22, symbol("star", c, 0.34))}`,
      r.int(16) - 8,
    ),
  };
}

function table(c, r) {
  const chip = (fill) =>
    `<circle cx="2" cy="6" r="56" opacity=".3"/><circle r="56" fill="${fill}"/><circle r="48" fill="none" stroke="${c.pale}" stroke-width="14" stroke-dasharray="19 19"/><circle r="34" fill="${c.pale}"/><circle r="27" fill="${fill}"/>`;
  const value = r.pick(["5", "25", "50", "100"]);
  return {
    name: `table:${value}`,
    svg: `${at(-52, 50, chip(c.ink), r.int(40))}${at(56, 44, chip(c.body), r.int(40))}${at(0, -30, `${chip(c.pop)}${digits(value, 28, c.ink, 0.22)}`, 0, 1.25)}`,
  };
}

function crash(c, r) {
  const peak = 20 + r.int(70);
  return {
    name: `crash:${peak}`,
    svg: `<path d="M-100 90h200M-100 90v-180" stroke="${c.pale}" stroke-width="6" stroke-linecap="round"/><path d="M-96 84q110-6 ${peak + 70}-150v150z" fill="${c.pop}" opacity=".45"/><path d="M-96 84q110-6 ${peak + 70}-150" fill="none" stroke="${c.pop}" stroke-width="10" stroke-linecap="round"/>${at(peak - 26, -66, symbol(r.pick(["vinta", "jeep", "bolt", "star", "moon"]), { ...c, pop: c.pale }, 0.9))}`,
  };
}
