import { hex, shift } from "./color.mjs";
import { LATTICES } from "./lattice.mjs";
import { paintsIn } from "./paints.mjs";
import { PLATES, plateColor } from "./plates.mjs";
import { random } from "./random.mjs";
import { drawProp } from "./scene.mjs";
import { closed, n, n3 } from "./svg.mjs";

/** The pictures of a game, the 3:4 tile and the wide one, and the card of a promotion. */
export const FORMATS = {
  tile: { width: 300, height: 400, pane: 50, prop: [150, 168, 1], fade: 0.62 },
  card: { width: 480, height: 300, pane: 60, prop: [240, 146, 0.98], fade: 0.86 },
  wide: { width: 480, height: 300, pane: 60, prop: [262, 142, 0.94], fade: 0.8 },
};

const SHADES = 9;
const GAP = 4;

/** A scene as an SVG document. */
export function draw(scene, format) {
  const { width, height, prop } = FORMATS[format];
  const c = inks(scene.plate);
  const [x, y, size] = prop;
  const thing = drawProp(scene.kind, scene.seed, c).svg;
  const body = [
    `<path d="M0 0h${width}v${height}h-${width}z" fill="${hex(shift(PLATES[scene.plate].dark, -0.09))}"/>`,
    ...lattice(scene, FORMATS[format]),
    growth(scene.lattice, width, height),
    `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#g)"/>`,
    `<g transform="translate(${n(x)} ${n(y)}) scale(${n3(size)})">${thing}</g>`,
    `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#f)"/>`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${defs(scene, format, thing)}${body.join("")}</svg>\n`;
}

/** The colours that props use, from the plate. */
export function inks(plate) {
  const { light, spark, ink } = PLATES[plate];
  const contrast = (spark[2] + (Math.abs(spark[2] - light[2]) < 60 ? 150 : 0)) % 360;
  return {
    ink: hex(ink),
    body: hex([0.62, Math.max(0.09, light[1]), light[2]]),
    soft: hex([0.86, 0.05, light[2]]),
    pale: hex([0.97, 0.018, spark[2]]),
    pop: hex([0.72, 0.17, contrast]),
    cream: hex([0.97, 0.06, 90]),
    rust: hex([0.4, 0.12, 45]),
    ember: hex([0.66, 0.18, 48]),
  };
}

/**
 * Panes by shade: one path for each shade keeps the file small. `isOpen` leaves panes out, so that what
 * is behind the picture shows there.
 */
export function lattice(scene, { width, height, pane }, isOpen = () => false) {
  const r = random(scene.seed);
  const light = [width * (0.34 + 0.3 * r.next()), height * (0.2 + 0.25 * r.next())];
  const reach = Math.hypot(width, height) * 0.72;
  const shades = Array.from({ length: SHADES + 1 }, () => "");
  let sheen = "";
  const pieces = LATTICES[scene.lattice](width, height, pane);
  for (const piece of pieces) {
    if (isOpen(piece)) continue;
    const far = Math.hypot(piece.x - light[0], piece.y - light[1]) / reach;
    const glow = Math.min(1, Math.max(0, 1 - far * 0.85 + r.between(-0.2, 0.2)));
    const lit = r.next() < 0.07;
    shades[lit ? SHADES : Math.round(glow * (SHADES - 1))] += outline(piece, GAP);
    if (r.next() < 0.5) sheen += glint(piece);
  }
  const paths = shades.map((d, i) =>
    d
      ? shade(
          d,
          i === SHADES ? PLATES[scene.plate].spark : plateColor(scene.plate, i / (SHADES - 1)),
        )
      : "",
  );
  return [
    `<g ${pen(pieces[0])}>${paths.join("")}</g>`,
    `<path d="${sheen}" fill="#fff" opacity=".1"/>`,
  ];
}

/** The growth lines of the shell: in each pane where panes repeat evenly, over the whole window else. */
function growth(name, width, height) {
  if (name === "square") return `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#p)"/>`;
  const rings = [0.5, 0.66, 0.82, 0.98, 1.14].map(
    (k) => `<circle cx="${n(width * 1.02)}" cy="${n(-height * 0.06)}" r="${n(height * k)}"/>`,
  );
  return `<g fill="none" stroke="#fff" stroke-width="9" opacity=".05">${rings.join("")}</g>`;
}

function shade(d, color) {
  const fill = hex(color);
  return `<path d="${d}" fill="${fill}" stroke="${fill}"/>`;
}

/** Corners are rounded by the pen; a round pane is a dot of it: the shortest way to write a circle. */
function pen({ radius }) {
  const dot = radius && 2 * Math.round(radius - GAP) + 5;
  return dot
    ? `stroke-width="${dot}" stroke-linecap="round"`
    : `stroke-width="5" stroke-linejoin="round"`;
}

function outline(piece, gap) {
  if (piece.radius) return `M${n(piece.x)} ${n(piece.y)}h0`;
  return closed(inset(piece, gap));
}

/** The lit upper left corner of a pane. */
function glint(piece) {
  if (piece.radius) {
    const r = Math.round(piece.radius - GAP - 3);
    return `M${n(piece.x - r)} ${n(piece.y)}a${r} ${r} 0 0 1 ${r}-${r}z`;
  }
  const points = inset(piece, GAP + 1);
  const first = points.toSorted((a, b) => a[0] + a[1] - (b[0] + b[1]))[0];
  const at = points.indexOf(first);
  return closed([first, points[(at + 1) % points.length], points.at(at - 1)]);
}

/** Moves every corner towards the middle, so that the lattice shows between the panes. */
function inset({ points, x, y }, gap) {
  return points.map(([px, py]) => {
    const length = Math.hypot(px - x, py - y);
    const keep = Math.max(0, 1 - (gap * 1.35) / length);
    return [x + (px - x) * keep, y + (py - y) * keep];
  });
}

function defs(scene, format, thing) {
  const { height, prop, fade, pane } = FORMATS[format];
  const { dark, spark } = PLATES[scene.plate];
  const night = hex(shift(dark, -0.12));
  const glow = radial("g", prop[0], prop[1], height * 0.52, hex([0.98, 0.05, spark[2]]), 0.72);
  const floor = `<linearGradient id="f" x2="0" y2="1"><stop offset="${n3(fade)}" stop-color="${night}" stop-opacity="0"/><stop offset="1" stop-color="${night}" stop-opacity=".94"/></linearGradient>`;
  const shell = scene.lattice === "square" ? grain(pane) : "";
  return `<defs>${glow}${floor}${shell}${paintsIn(thing)}</defs>`;
}

function grain(pane) {
  const k = pane / 50;
  const lines = [12, 21, 30, 39].map(
    (r) => `M${n(k * 5)} ${n(k * (5 + r))}q${n(k * r)}-1 ${n(k * r)}-${n(k * r)}`,
  );
  return `<pattern id="p" width="${pane}" height="${pane}" patternUnits="userSpaceOnUse"><path d="${lines.join("")}" fill="none" stroke="#fff" stroke-width="${n(1.5 * k)}" opacity=".16"/></pattern>`;
}

export function radial(id, x, y, r, color, opacity) {
  return `<radialGradient id="${id}" cx="${n(x)}" cy="${n(y)}" r="${n(r)}" gradientUnits="userSpaceOnUse"><stop stop-color="${color}" stop-opacity="${opacity}"/><stop offset=".5" stop-color="${color}" stop-opacity="${n3(opacity * 0.28)}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;
}
