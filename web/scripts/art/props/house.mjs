import { digits, list, n, star } from "../svg.mjs";
import { die } from "./die.mjs";
import { SYMBOLS } from "./symbols.mjs";

/** Props of the house games, drawn around the origin in a box of about ±110. `r` is seeded. */

/** A group moved, turned and scaled. */
export function at(x, y, body, turn = 0, size = 1) {
  const rotate = turn ? ` rotate(${n(turn)})` : "";
  const scale = size === 1 ? "" : ` scale(${size.toFixed(2)})`;
  return `<g transform="translate(${list(x, y)})${rotate}${scale}">${body}</g>`;
}

/** A light card with rounded corners and a soft shadow. */
export function card(w, h, c, body = "", fill = c.pale) {
  return `<rect x="${-w / 2 + 3}" y="${-h / 2 + 6}" width="${w}" height="${h}" rx="9" opacity=".3"/><rect x="${-w / 2}" y="${-h / 2}" width="${w}" height="${h}" rx="9" fill="${fill}"/>${body}`;
}

const ball = (size, c, fill, body = "") =>
  `<circle cx="2" cy="5" r="${size}" opacity=".3"/><circle r="${size}" fill="${fill}"/><circle r="${n(size * 0.62)}" fill="#fff"/>${body}<path d="M${list(-size * 0.62, -size * 0.5)}a${n(size * 0.8)} ${n(size * 0.8)} 0 0 1 ${list(size * 0.75, -size * 0.3)}" fill="none" stroke="#fff" stroke-width="${n(size * 0.12)}" stroke-linecap="round" opacity=".8"/>`;

export const HOUSE = {
  dice: (c) => {
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
    const spark = (x, y, size) => at(x, y, `<path d="${star(4, 16, 3)}" fill="#fff"/>`, 0, size);
    return `${floor}${at(60, -58, die(106, [-34, -32, 12], [4, 1, 5], amber))}${at(-26, 26, die(148, [-31, 40, -7], [6, 5, 4], pearl))}${spark(-104, -62, 1.2)}${spark(2, -120, 0.7)}${spark(122, 18, 1)}`;
  },
  limbo: (c) =>
    `<path d="M-104 84q120-4 150-126" fill="none" stroke="${c.pale}" stroke-width="9" stroke-linecap="round" stroke-dasharray="2 16"/><path d="M-104 84q120-4 150-126l40 126z" fill="${c.pop}" opacity=".3"/>${at(48, -46, `<path d="M0-64q34 30 24 84h-48q-10-54 24-84z" fill="${c.pale}"/><path d="M-24 6l-20 26 22-6zm48 0l20 26-22-6z" fill="${c.ink}"/><circle cy="-18" r="13" fill="${c.body}" stroke="${c.ink}" stroke-width="5"/><path d="M-16 26q16 54 32 0z" fill="${c.pop}"/>`, 24, 1.1)}`,
  mines: (c, r) => {
    const lit = r.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    return lit
      .map((cell, i) => {
        const [x, y] = [(cell % 3) * 64 - 64, Math.floor(cell / 3) * 64 - 64];
        const bomb = `<circle r="15" fill="${c.ink}"/><path d="M0-23v46M-23 0h46M-16-16l32 32M16-16l-32 32" stroke="${c.ink}" stroke-width="6" stroke-linecap="round"/><circle cx="-5" cy="-5" r="4" fill="#fff"/>`;
        if (i === 0) return at(x, y, card(56, 56, c, bomb, c.pop));
        if (i < 5)
          return at(x, y, card(56, 56, c, `<g transform="scale(.42)">${SYMBOLS.gem(c)}</g>`));
        return at(x, y, card(56, 56, c, "", c.body));
      })
      .join("");
  },
  plinko: (c) => {
    let pegs = "";
    for (let row = 0; row < 6; row += 1)
      for (let i = 0; i <= row + 1; i += 1)
        pegs += `M${(i - (row + 1) / 2) * 32} ${row * 29 - 84}h0`;
    const cups = [-80, -48, -16, 16, 48, 80].map(
      (x, i) =>
        `<rect x="${x - 14}" y="84" width="28" height="24" rx="5" fill="${i === 2 || i === 3 ? c.body : i === 0 || i === 5 ? c.pop : c.soft}"/>`,
    );
    return `<path d="${pegs}" stroke="${c.pale}" stroke-width="12" stroke-linecap="round"/>${cups.join("")}${at(26, -12, `<circle r="19" fill="${c.pop}"/><circle cx="-6" cy="-6" r="6" fill="#fff"/>`)}<path d="M0-118q6 30-12 44M-10-70q30 10 32 38" fill="none" stroke="${c.pop}" stroke-width="5" stroke-dasharray="1 9" stroke-linecap="round"/>`;
  },
  hilo: (c, r) => {
    const face = (value, up) =>
      `${card(104, 148, c, `${at(0, -6, digits(value, 70, up ? c.pop : c.ink, 0.22))}`)}`;
    const arrow = (fill) =>
      `<path d="M0-34l32 36h-18v28h-28v-28h-18z" fill="${fill}" stroke="#fff" stroke-width="4" stroke-linejoin="round"/>`;
    return `${at(-44, 14, face(2 + r.int(4), false), -9)}${at(42, -10, face(6 + r.int(4), true), 8)}${at(88, -84, arrow(c.pop))}${at(-88, 88, arrow(c.ink), 180)}`;
  },
  wheel: (c) => {
    const slices = Array.from(
      { length: 12 },
      (_, i) =>
        `<path d="M0 0l-27-100a104 104 0 0 1 54 0z" transform="rotate(${i * 30})" fill="${[c.pale, c.body, c.pop, c.soft][i % 4]}"/>`,
    );
    return `<circle cy="6" r="112" opacity=".3"/><circle r="110" fill="${c.ink}"/>${slices.join("")}<circle r="26" fill="${c.ink}"/><path d="${star(8, 20, 9)}" fill="${c.pop}"/><path d="M-15-122h30l-15 36z" fill="${c.pale}" stroke="${c.ink}" stroke-width="4"/>`;
  },
  keno: (c, r) =>
    [
      [-60, -62],
      [22, -84],
      [78, -18],
      [-74, 34],
      [0, 2],
      [48, 68],
      [-30, 96],
    ]
      .map(([x, y], i) =>
        at(
          x,
          y,
          ball(
            i === 4 ? 44 : 32,
            c,
            [c.pop, c.body, c.soft, c.pale][i % 4],
            digits(1 + r.int(80), i === 4 ? 30 : 21, c.ink, 0.2),
          ),
          r.int(24) - 12,
        ),
      )
      .join(""),
  scratch: (c, r) => {
    const names = r.shuffle(["star", "seven", "coin", "gem", "crown"]).slice(0, 2);
    const cells = [-56, 0, 56].map((x, i) =>
      at(
        x,
        8,
        `<circle r="25" fill="${c.soft}"/><g transform="scale(.42)">${SYMBOLS[names[i === 1 ? 1 : 0]](c)}</g>`,
      ),
    );
    return at(
      0,
      0,
      `${card(204, 150, c)}<path d="M-92-66h184v34h-184z" fill="${c.pop}"/><path d="M-78-49h96M-78 54h64" stroke="${c.ink}" stroke-width="8" stroke-linecap="round" opacity=".6"/>${cells.join("")}<path d="M10 30q40-60 96-20l0 66h-70z" fill="${c.body}" opacity=".9"/><path d="M8 44l30-16-20 26 36-18-18 30 44-22" fill="none" stroke="${c.pale}" stroke-width="9" stroke-linecap="round"/>${at(96, 84, `<circle r="30" fill="${c.pop}" stroke="${c.ink}" stroke-width="4"/><circle r="20" fill="none" stroke="${c.ink}" stroke-width="3"/>`)}`,
      -7,
    );
  },
};
