import { hex } from "./color.mjs";
import { n3 } from "./svg.mjs";

const stop = (color, offset = 0, opacity = 1) =>
  `<stop${offset ? ` offset="${n3(offset)}"` : ""} stop-color="${hex(color)}"${opacity === 1 ? "" : ` stop-opacity="${n3(opacity)}"`}/>`;

/** Across a face, from its upper left to its lower right. */
const across = (id, from, to, opacity = 1) =>
  `<linearGradient id="${id}" x2="1" y2="1">${stop(from, 0, opacity)}${stop(to, 1, opacity)}</linearGradient>`;

/** From top to bottom, through as many colours as there are. */
const down = (id, ...colors) =>
  `<linearGradient id="${id}" x2="0" y2="1">${colors.map((color, i) => stop(color, i / (colors.length - 1))).join("")}</linearGradient>`;

/** A soft spot. */
const spot = (id, color, opacity) =>
  `<radialGradient id="${id}">${stop(color, 0, opacity)}${stop(color, 1, 0)}</radialGradient>`;

/** Something round with the light from the upper left. */
const round = (id, light, middle, dark) =>
  `<radialGradient id="${id}" cx=".34" cy=".27" r=".82">${stop(light)}${stop(middle, 0.46)}${stop(dark, 1)}</radialGradient>`;

const list = [
  // The sides of the two dice, pearl and amber, with the shade and the light under them.
  across("t", [0.995, 0.008, 170], [0.92, 0.045, 180], 0.94),
  across("l", [0.93, 0.05, 178], [0.7, 0.1, 196], 0.8),
  across("r", [0.84, 0.08, 186], [0.52, 0.1, 212], 0.84),
  across("c", [0.98, 0.02, 175], [0.66, 0.1, 200]),
  across("T", [0.98, 0.06, 95], [0.89, 0.15, 82], 0.94),
  across("L", [0.91, 0.13, 84], [0.75, 0.17, 64], 0.84),
  across("R", [0.84, 0.16, 74], [0.6, 0.16, 50], 0.86),
  across("C", [0.97, 0.08, 92], [0.7, 0.17, 58]),
  spot("k", [0.16, 0.04, 210], 0.85),
  spot("h", [0.93, 0.1, 175], 0.9),
  `<path id="s" d="M-43 10v-39q0-14 14-14h58z" fill="#fff" opacity=".2"/>`,
  // Balls, pearls and coins.
  round("pearl", [1, 0, 0], [0.93, 0.035, 180], [0.66, 0.075, 205]),
  round("gold", [0.985, 0.07, 98], [0.86, 0.16, 83], [0.58, 0.15, 52]),
  round("coral", [0.92, 0.07, 40], [0.7, 0.19, 27], [0.44, 0.17, 22]),
  round("aqua", [0.95, 0.06, 180], [0.74, 0.115, 190], [0.43, 0.09, 220]),
  round("leaf", [0.95, 0.1, 125], [0.74, 0.16, 138], [0.42, 0.11, 150]),
  round("urchin", [0.55, 0.06, 290], [0.25, 0.05, 290], [0.11, 0.02, 260]),
  // Cloth, paper, wood and metal.
  across("paper", [0.995, 0.012, 95], [0.9, 0.04, 85]),
  across("brass", [0.97, 0.08, 95], [0.7, 0.16, 66]),
  across("red", [0.76, 0.18, 32], [0.5, 0.19, 24]),
  across("sea", [0.85, 0.1, 182], [0.52, 0.1, 208]),
  across("sand", [0.96, 0.05, 88], [0.8, 0.1, 70]),
  across("tile", [0.52, 0.05, 190], [0.3, 0.04, 200]),
  across("hole", [0.13, 0.02, 200], [0.24, 0.03, 195]),
  across("shell", [0.97, 0.05, 30], [0.66, 0.14, 5]),
  across("inner", [0.99, 0.02, 60], [0.84, 0.08, 20]),
  // Of a line that has no breadth, so that its own box cannot measure the paint.
  `<linearGradient id="bar" gradientUnits="userSpaceOnUse" x1="-12" x2="36">${stop([0.97, 0.08, 95])}${stop([0.7, 0.16, 66], 1)}</linearGradient>`,
  down("wood", [0.46, 0.08, 50], [0.27, 0.06, 40]),
  down("pane", [0.98, 0.07, 100], [0.85, 0.16, 78], [0.68, 0.18, 52]),
  down("night", [0.3, 0.05, 280], [0.16, 0.04, 290]),
  spot("lamp", [0.96, 0.13, 92], 0.95),
  spot("alarm", [0.7, 0.22, 25], 0.95),
];

const PAINTS = new Map(list.map((markup) => [/ id="(\w+)"/.exec(markup)[1], markup]));

/** The definitions that a drawing refers to, and no others: files stay small. */
export function paintsIn(svg) {
  const used = new Set([...svg.matchAll(/(?:url\(|href=")#(\w+)/g)].map(([, id]) => id));
  return [...PAINTS].flatMap(([id, markup]) => (used.has(id) ? [markup] : [])).join("");
}
