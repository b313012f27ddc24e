import { list, n, star } from "../svg.mjs";

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

/** Something round and polished around the origin, with what is printed on it. */
export function orb(r, paint, body = "") {
  return `<circle cx="2" cy="${n(r * 0.16)}" r="${r}" opacity=".26"/><circle r="${r}" fill="url(#${paint})"/>${body}<ellipse cx="${n(-r * 0.36)}" cy="${n(-r * 0.56)}" rx="${n(r * 0.3)}" ry="${n(r * 0.15)}" transform="rotate(-8)" fill="#fff" opacity=".8"/>`;
}

/** The shade on the ground under a thing. */
export function ground(width, y = 106) {
  return `<ellipse cy="${y}" rx="${width}" ry="${n(width * 0.2)}" fill="url(#k)"/>`;
}

/** A glint of light. */
export function spark(x, y, size, fill = "#fff") {
  return at(x, y, `<path d="${star(4, 16, 3)}" fill="${fill}"/>`, 0, size);
}

/** Bubbles or dots at places, as rings. */
export function rings(places, width = 3) {
  const circles = places.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}"/>`);
  return `<g fill="#fff" fill-opacity=".18" stroke="#fff" stroke-width="${width}" opacity=".8">${circles.join("")}</g>`;
}

/** Points on a circle: degrees from the top, clockwise. */
export function onCircle(radius, degrees) {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** The shell of a scallop that opens upwards from the origin, with its ribs. */
export function scallop(radius, spread, lobes, fill, line) {
  const edges = Array.from({ length: lobes + 1 }, (_, i) =>
    onCircle(radius, -spread / 2 + (spread / lobes) * i),
  );
  const bulge = n(radius * Math.sin(((spread / lobes / 2) * Math.PI) / 180) * 1.08);
  const arcs = edges.slice(1).map(([x, y]) => `A${bulge} ${bulge} 0 0 1 ${list(x, y)}`);
  const ribs = edges.slice(1, -1).map(([x, y]) => `M0 0L${list(x * 0.94, y * 0.94)}`);
  const [first] = edges;
  return `<path d="M-9 4L${list(...first)}${arcs.join("")}L9 4z" fill="url(#${fill})" stroke="${line}" stroke-width="3" stroke-linejoin="round"/><path d="${ribs.join("")}" stroke="${line}" stroke-width="3" stroke-linecap="round" opacity=".45"/>`;
}

export const SUITS = {
  heart: "M0 26c-44-30-26-58-10-52q8 2 10 10 2-8 10-10c16-6 34 22-10 52z",
  spade: "M0-30c44 34 26 54 8 44l6 16h-28l6-16c-18 10-36-10 8-44z",
  diamond: "M0-32l22 30-22 30-22-30z",
  club: "M-6 26l4-14a14 14 0 1 1-10-24 15 15 0 1 1 24 0 14 14 0 1 1-10 24l4 14z",
};
