/** Pictures of content: banners, whose left side is left to the words, and cards of promotions. */
import { hex } from "./color.mjs";
import { draw, inks, lattice, radial } from "./draw.mjs";
import { paintsIn } from "./paints.mjs";
import { PLATES } from "./plates.mjs";
import { at } from "./props/shapes.mjs";
import { hash, random } from "./random.mjs";
import { drawProp } from "./scene.mjs";

/** Left of `calm` there are no panes, right of `full` all of them: the page shows through between. */
const BANNER = { width: 1200, height: 450, pane: 75, calm: 0.4, full: 0.68 };

/** Banners: plate, lattice, and things as [name, x, y, size], those behind first. */
const BANNERS = {
  check: [
    "lumot",
    "square",
    [
      ["lens", 1040, 262, 1.15],
      ["dice", 790, 228, 1.42],
    ],
  ],
  demo: [
    "santan",
    "square",
    [
      ["scratch", 705, 250, 1.05],
      ["wheel", 970, 228, 1.45],
    ],
  ],
  jackpot: [
    "ube",
    "square",
    [
      ["sari", 712, 270, 1.05],
      ["windows", 985, 226, 1.4],
    ],
  ],
  promotions: [
    "sili",
    "square",
    [
      ["pearls", 1060, 300, 0.85],
      ["gift", 820, 230, 1.45],
    ],
  ],
  login: ["dahon", "square", [["padlock", 890, 225, 1.5]]],
  register: ["dagat", "square", [["reef", 890, 225, 1.5]]],
  forgot: ["lupa", "square", [["key", 890, 225, 1.55]]],
};

/** Promotions by type: plate, lattice and thing. */
const PROMOTIONS = {
  other: ["sili", "diamond", "gift"],
  sports: ["dahon", "chevron", "ball"],
  live: ["santan", "diamond", "hand"],
  slots: ["mangga", "brick", "reels"],
  card: ["gabi", "caning", "chips"],
  fish: ["dagat", "round", "school"],
  lotto: ["dayap", "round", "drum"],
  rebate: ["lumot", "square", "coins"],
  points: ["langit", "fan", "pearls"],
  rank: ["ube", "hex", "crown"],
  deposit: ["lupa", "brick", "purse"],
  download: ["perlas", "square", "phone"],
  newplayer: ["lumot", "hex", "reef"],
};

/** Every picture by its path under the art folder. */
export function contentPictures() {
  const banners = Object.entries(BANNERS).map(([name, parts]) => [
    `banners/${name}.svg`,
    scenery(`banner:${name}`, BANNER, ...parts),
  ]);
  const promotions = Object.entries(PROMOTIONS).map(([name, [plate, panes, kind]]) => [
    `promotions/${name}.svg`,
    draw({ code: name, seed: hash(`promotion:${name}`), plate, lattice: panes, kind }, "card"),
  ]);
  return [...banners, ...promotions];
}

/** Panes that close towards the right, and things in front of them. */
export function scenery(name, box, plate, panes, things) {
  const { width, height, calm, full } = box;
  const seed = hash(name);
  const chance = random(seed ^ 0x9e3779b9);
  const isOpen = ({ x }) => (x / width - calm) / (full - calm) < chance.next();
  const c = inks(plate);
  const body = things.map(([kind, x, y, size]) => at(x, y, drawProp(kind, seed, c).svg, 0, size));
  const [, x, y] = things.at(-1);
  const glow = radial("g", x, y, height * 0.5, hex([0.98, 0.05, PLATES[plate].spark[2]]), 0.5);
  const light = `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#g)"/>`;
  const parts = [...lattice({ seed, plate, lattice: panes }, box, isOpen), light, ...body];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><defs>${glow}${paintsIn(body.join(""))}</defs>${parts.join("")}</svg>\n`;
}
