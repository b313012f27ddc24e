import { digits, list, n, star } from "../svg.mjs";
import { die } from "./die.mjs";
import { SUITS, at, card, ground, onCircle, orb, spark } from "./shapes.mjs";
import { SYMBOLS } from "./symbols.mjs";

/** Props of the house's quick games, drawn around the origin in a box of about ±120. `r` is seeded. */
export const TABLES = { dice, limbo, mines, plinko, hilo, wheel, keno, scratch };

const NIGHT = "#17201f";

function dice(c) {
  const pearl = {
    top: "url(#t)",
    left: "url(#l)",
    right: "url(#r)",
    edge: "#fff",
    pip: c.ink,
    glint: c.body,
    core: "url(#c)",
    deep: c.ink,
  };
  const amber = {
    top: "url(#T)",
    left: "url(#L)",
    right: "url(#R)",
    edge: c.cream,
    pip: c.rust,
    glint: c.ember,
    core: "url(#C)",
    deep: c.rust,
  };
  const floor = `<ellipse cx="4" cy="106" rx="128" ry="30" fill="url(#k)"/><ellipse cx="-26" cy="116" rx="66" ry="9" fill="url(#h)"/>`;
  return `${floor}${at(60, -58, die(106, [-34, -32, 12], [4, 1, 5], amber))}${at(-26, 26, die(148, [-31, 40, -7], [6, 5, 4], pearl))}${spark(-104, -62, 1.2)}${spark(2, -120, 0.7)}${spark(122, 18, 1)}`;
}

/** A kite that has risen above the line. */
function limbo() {
  const marks = Array.from({ length: 9 }, (_, i) => {
    const wide = i % 2 === 0;
    return `M-126 ${100 - i * 26}h${wide ? 24 : 13}`;
  });
  const line = `<path d="M-126 58h252" stroke="#fff" stroke-width="5" stroke-dasharray="16 11" stroke-linecap="round" opacity=".95"/>`;
  const ruler = `<path d="${marks.join("")}" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".7"/>`;
  const string = `<path d="M-104 128q16-60 128-150" fill="none" stroke="${NIGHT}" stroke-width="3" opacity=".65"/>`;
  const bow = (x, y, turn, paint) =>
    at(
      x,
      y,
      `<path d="M0 0l-22-12v24zl22-12v24z" fill="url(#${paint})" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>`,
      turn,
    );
  const tail = `<path d="M2 92q26 22 6 46t10 48" fill="none" stroke="${NIGHT}" stroke-width="4"/>${bow(16, 112, 10, "red")}${bow(3, 149, -24, "brass")}${bow(18, 186, 14, "sea")}`;
  const cloth = `<path d="M3-88l70 74-70 110-70-110z" transform="translate(3 7)" opacity=".28"/><g stroke="#fff" stroke-width="3" stroke-linejoin="round"><path d="M0-94v78h-70z" fill="url(#red)"/><path d="M0-94v78h70z" fill="url(#brass)"/><path d="M0 94v-110h-70z" fill="url(#sand)"/><path d="M0 94v-110h70z" fill="url(#sea)"/></g>`;
  const kite = `${tail}${cloth}<path d="${star(8, 30, 14)}" transform="translate(0-16)" fill="url(#paper)" stroke="${NIGHT}" stroke-width="3" stroke-linejoin="round"/><circle cy="-16" r="8" fill="url(#gold)"/>`;
  return `${ruler}${line}${string}${at(34, -44, kite, 26, 1.06)}${spark(-46, -92, 1.1)}${spark(122, 66, 0.8)}${spark(-30, -30, 0.6)}`;
}

/** Tiles of which some are turned over: pearls, and one sea urchin. */
function mines() {
  const closed = `<rect x="-30" y="-30" width="60" height="60" rx="11" fill="url(#tile)" stroke="#fff" stroke-opacity=".35" stroke-width="2"/><path d="M-24 4v-18q0-10 10-10h22z" fill="#fff" opacity=".2"/>`;
  const hole = `<rect x="-30" y="-30" width="60" height="60" rx="11" fill="url(#hole)" stroke="#fff" stroke-opacity=".18" stroke-width="2"/>`;
  const urchin = `${hole}<circle r="52" fill="url(#alarm)"/><path d="${star(16, 34, 13)}" fill="#0d0b10"/><circle r="18" fill="url(#urchin)"/><circle cx="-6" cy="-7" r="4" fill="#fff" opacity=".85"/>`;
  const shapes = `<defs><g id="closed">${closed}</g><g id="found">${hole}${orb(20, "pearl")}</g></defs>`;
  const found = new Set([0, 2, 5, 8]);
  const tiles = [0, 1, 2, 3, 5, 6, 7, 8].map((i) => {
    const [x, y] = [(i % 3) * 68 - 68, Math.floor(i / 3) * 68 - 68];
    return `<use href="#${found.has(i) ? "found" : "closed"}" x="${x}" y="${y}"/>`;
  });
  const board = `<rect x="-112" y="-106" width="224" height="224" rx="22" opacity=".3"/><rect x="-112" y="-112" width="224" height="224" rx="22" fill="url(#wood)" stroke="#fff" stroke-opacity=".3" stroke-width="3"/>`;
  return at(
    0,
    0,
    `${shapes}${board}${tiles.join("")}${urchin}${spark(-44, -92, 0.8)}${spark(92, 46, 0.7)}`,
    -6,
  );
}

/** A ball on its way down between pegs. */
function plinko() {
  const board = `<path d="M0-128L126 84q4 8-6 8h-240q-10 0-6-8z" fill="#3a0d24" opacity=".82"/>`;
  const pegs = [];
  for (let row = 0; row < 6; row += 1)
    for (let i = 0; i <= row + 1; i += 1)
      pegs.push(`<use href="#peg" x="${n((i - (row + 1) / 2) * 33)}" y="${row * 31 - 92}"/>`);
  const paints = ["gold", "coral", "aqua", "pearl", "aqua", "coral", "gold"];
  const cups = paints.map(
    (paint, i) =>
      `<rect x="${i * 35 - 121}" y="94" width="31" height="27" rx="7" fill="url(#${paint})"/>`,
  );
  const way = `<path d="M0-128q-2 22-14 38M-16-86q-10 22 10 34M-4-50q24 8 22 38" fill="none" stroke="#ffd98a" stroke-width="5" stroke-dasharray="1 10" stroke-linecap="round"/>`;
  const peg = `<defs><g id="peg">${orb(7, "pearl")}</g></defs>`;
  return `${peg}${board}${way}${pegs.join("")}${cups.join("")}${at(18, 6, orb(21, "gold"))}${spark(72, -84, 1)}${spark(-96, -40, 0.8)}`;
}

/** An open card, the next one still hidden, and the two guesses. */
function hilo(c) {
  const panes = [];
  for (let y = -2; y <= 2; y += 1)
    for (let x = -1; x <= 1; x += 1) panes.push(`M${x * 30} ${y * 30 - 15}l15 15-15 15-15-15z`);
  const back = `${card(112, 158, c, "", "url(#red)")}<rect x="-47" y="-70" width="94" height="140" rx="6" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3"/><path d="${panes.join("")}" fill="#fff" fill-opacity=".16" stroke="#fff" stroke-opacity=".6" stroke-width="2"/>`;
  const red = "#d8362f";
  const corner = `${digits(7, 22, red, 0.2)}<path d="${SUITS.heart}" transform="translate(0 26)scale(.36)" fill="${red}"/>`;
  const face = `${card(116, 164, c, "", "url(#paper)")}${at(-40, -60, corner)}${at(40, 60, corner, 180)}<path d="${SUITS.heart}" transform="translate(0 4)scale(1.45)" fill="url(#coral)"/>`;
  const arrow = (paint, turn) =>
    `${orb(31, paint)}<path d="M0-17l16 17h-9v15h-14v-15h-9z" transform="rotate(${turn})" fill="#fff" stroke="${NIGHT}" stroke-opacity=".35" stroke-width="2" stroke-linejoin="round"/>`;
  return `${ground(110, 112)}${at(46, -10, back, 14)}${at(-28, 8, face, -8)}${at(96, -86, arrow("gold", 0))}${at(98, 78, arrow("aqua", 180))}${spark(-104, -78, 1.1)}${spark(24, -114, 0.7)}`;
}

function wheel() {
  const paints = ["sand", "red", "sea", "brass"];
  const [x, y] = onCircle(100, 15);
  const slices = Array.from(
    { length: 12 },
    (_, i) =>
      `<path d="M0 0L${list(-x, y)}A100 100 0 0 1 ${list(x, y)}z" transform="rotate(${i * 30 + 15})" fill="url(#${paints[i % 4]})"/>`,
  );
  const pins = Array.from({ length: 24 }, (_, i) => {
    const [px, py] = onCircle(110, i * 15);
    return `M${list(px, py)}h0`;
  });
  const rim = `<circle cy="8" r="122" opacity=".32"/><circle r="121" fill="url(#brass)"/><circle r="103" fill="${NIGHT}"/>`;
  const lamps = `<path d="${pins.join("")}" stroke="#fff" stroke-width="8" stroke-linecap="round"/>`;
  const gloss = `<path d="M-94-34a100 100 0 0 1 162-40q-86-14-162 40z" fill="#fff" opacity=".2"/>`;
  const hub = `${orb(30, "gold")}<path d="${star(8, 17, 8)}" fill="#7a3b10" opacity=".85"/>`;
  const pointer = `<path d="M-19-136q19-10 38 0l-19 50z" fill="url(#coral)" stroke="#fff" stroke-width="4" stroke-linejoin="round"/>`;
  return `${ground(104, 122)}${rim}${slices.join("")}${lamps}${gloss}${hub}${pointer}${spark(96, -96, 1)}${spark(-112, 62, 0.8)}`;
}

function keno() {
  const ball = (size, paint, number) =>
    orb(
      size,
      paint,
      `<circle r="${n(size * 0.6)}" fill="url(#paper)"/>${digits(number, size * 0.66, NIGHT, 0.19)}`,
    );
  const balls = [
    [-62, -66, 35, "aqua", 8, -10],
    [26, -82, 39, "coral", 31, 8],
    [-92, 22, 37, "gold", 5, -14],
    [92, -14, 34, "leaf", 17, 12],
    [0, 6, 55, "pearl", 24, -6],
    [72, 66, 42, "gold", 40, 9],
    [-38, 86, 39, "coral", 12, -12],
  ];
  return `${ground(118, 118)}${balls.map(([x, y, size, paint, number, turn]) => at(x, y, ball(size, paint, number), turn)).join("")}${spark(96, -84, 1)}${spark(-116, -38, 0.7)}`;
}

function scratch(c) {
  const symbols = ["gem", "sun", "gem", "mango", "gem", "star", "", "", ""];
  const ink = { ...c, pop: "#f2a516", body: "#1f9aa0", ink: "#54310f", pale: "#fffdf5" };
  const fields = symbols.map((name, i) => {
    const body = name ? `<g transform="scale(.4)">${SYMBOLS[name](ink)}</g>` : "";
    return at(
      (i % 3) * 58 - 58,
      Math.floor(i / 3) * 56 - 28,
      `<circle r="24" fill="#f3e3bd"/>${body}`,
    );
  });
  const band = `<path d="M-96-106a8 8 0 0 1 8-8h176a8 8 0 0 1 8 8v38h-192z" fill="url(#red)"/><path d="M-78-90h84M-78-78h52" stroke="#fff" stroke-width="7" stroke-linecap="round"/><path d="${star(5, 16, 7)}" transform="translate(70-91)" fill="url(#gold)"/><path d="${star(5, 11, 5)}" transform="translate(42-88)" fill="url(#gold)"/>`;
  const foil = `<path d="M-92 60l16-10 12 9 15-14 10 13 17-17 9 14 20-20 6 15 24-24 3 17 26-18 22-10v86a8 8 0 0 1-8 8h-164a8 8 0 0 1-8-8z" transform="translate(2-4)" fill="url(#sea)"/><path d="M-84 88l120-50M-72 104l148-62M-34 108l118-48" stroke="#fff" stroke-width="4" opacity=".35"/>`;
  const coin = `${orb(37, "gold")}<circle r="27" fill="none" stroke="#8a5212" stroke-width="3" opacity=".7"/><path d="M-6 17v-34h8q11 0 11 10t-11 10h-8M-14-10h32M-14-3h32" fill="none" stroke="#8a5212" stroke-width="5"/>`;
  return `${ground(104, 122)}${at(0, 0, `${card(196, 232, c, "", "url(#paper)")}${band}${fields.join("")}${foil}`, -7)}${at(76, 66, coin, 12)}${spark(-112, -72, 1)}${spark(108, -60, 0.8)}`;
}
