import { hex, shift } from "./color.mjs";
import { LATTICES } from "./lattice.mjs";
import { PLATES, plateColor } from "./plates.mjs";
import { random } from "./random.mjs";
import { drawProp } from "./scene.mjs";
import { closed, n, n3 } from "./svg.mjs";

/** The two pictures of a game: the 3:4 tile, and the wide one for a banner. */
export const FORMATS = {
  tile: { width: 300, height: 400, pane: 50, prop: [150, 168, 1], fade: 0.62 },
  wide: { width: 480, height: 300, pane: 60, prop: [262, 138, 1.02], fade: 0.8 },
};

const SHADES = 9;
const GAP = 4;

/** A scene as an SVG document. */
export function draw(scene, format) {
  const { width, height, prop } = FORMATS[format];
  const c = inks(scene.plate);
  const [x, y, size] = prop;
  const body = [
    `<path d="M0 0h${width}v${height}h-${width}z" fill="${hex(shift(PLATES[scene.plate].dark, -0.09))}"/>`,
    ...lattice(scene, format),
    `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#g)"/>`,
    `<g transform="translate(${n(x)} ${n(y)}) scale(${n3(size)})">${drawProp(scene.kind, scene.seed, c).svg}</g>`,
    `<path d="M0 0h${width}v${height}h-${width}z" fill="url(#f)"/>`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${defs(scene, format)}${body.join("")}</svg>\n`;
}

/** The colours that props use, from the plate. */
function inks(plate) {
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

/** Panes by shade: one path for each shade keeps the file small. */
function lattice(scene, format) {
  const { width, height, pane } = FORMATS[format];
  const r = random(scene.seed);
  const light = [width * (0.34 + 0.3 * r.next()), height * (0.2 + 0.25 * r.next())];
  const reach = Math.hypot(width, height) * 0.72;
  const shades = Array.from({ length: SHADES + 1 }, () => "");
  let sheen = "";
  for (const piece of LATTICES[scene.lattice](width, height, pane)) {
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
    `<g stroke-width="5" stroke-linejoin="round">${paths.join("")}</g>`,
    `<path d="${sheen}" fill="#fff" opacity=".1"/>`,
    growth(scene.lattice, width, height),
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

function outline(piece, gap) {
  if (piece.radius) {
    const r = Math.round(piece.radius - gap);
    return `M${n(piece.x - r)} ${n(piece.y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`;
  }
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

function defs(scene, format) {
  const { height, prop, fade, pane } = FORMATS[format];
  const { dark, spark } = PLATES[scene.plate];
  const night = hex(shift(dark, -0.12));
  const glow = radial("g", prop[0], prop[1], height * 0.52, hex([0.98, 0.05, spark[2]]), 0.72);
  const floor = `<linearGradient id="f" x2="0" y2="1"><stop offset="${n3(fade)}" stop-color="${night}" stop-opacity="0"/><stop offset="1" stop-color="${night}" stop-opacity=".94"/></linearGradient>`;
  const shell = scene.lattice === "square" ? grain(pane) : "";
  return `<defs>${glow}${floor}${shell}${scene.kind === "dice" ? glass() : ""}</defs>`;
}

function grain(pane) {
  const k = pane / 50;
  const lines = [12, 21, 30, 39].map(
    (r) => `M${n(k * 5)} ${n(k * (5 + r))}q${n(k * r)}-1 ${n(k * r)}-${n(k * r)}`,
  );
  return `<pattern id="p" width="${pane}" height="${pane}" patternUnits="userSpaceOnUse"><path d="${lines.join("")}" fill="none" stroke="#fff" stroke-width="${n(1.5 * k)}" opacity=".16"/></pattern>`;
}

function radial(id, x, y, r, color, opacity) {
  return `<radialGradient id="${id}" cx="${n(x)}" cy="${n(y)}" r="${n(r)}" gradientUnits="userSpaceOnUse"><stop stop-color="${color}" stop-opacity="${opacity}"/><stop offset=".5" stop-color="${color}" stop-opacity="${n3(opacity * 0.28)}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;
}

/** The sides of the two dice, pearl and amber, with the shade and the light under them. */
function glass() {
  const stop = (color, opacity, more = "") =>
    `<stop${more} stop-color="${hex(color)}"${opacity === 1 ? "" : ` stop-opacity="${n3(opacity)}"`}/>`;
  const face = (id, from, to, opacity) =>
    `<linearGradient id="${id}" x2="1" y2="1">${stop(from, opacity)}${stop(to, opacity, ' offset="1"')}</linearGradient>`;
  const spot = (id, color, opacity) =>
    `<radialGradient id="${id}">${stop(color, opacity)}${stop(color, 0, ' offset="1"')}</radialGradient>`;
  return [
    face("t", [0.995, 0.008, 170], [0.92, 0.045, 180], 0.94),
    face("l", [0.93, 0.05, 178], [0.7, 0.1, 196], 0.8),
    face("r", [0.84, 0.08, 186], [0.52, 0.1, 212], 0.84),
    face("c", [0.98, 0.02, 175], [0.66, 0.1, 200], 1),
    face("T", [0.98, 0.06, 95], [0.89, 0.15, 82], 0.94),
    face("L", [0.91, 0.13, 84], [0.75, 0.17, 64], 0.84),
    face("R", [0.84, 0.16, 74], [0.6, 0.16, 50], 0.86),
    face("C", [0.97, 0.08, 92], [0.7, 0.17, 58], 1),
    spot("k", [0.16, 0.04, 210], 0.85),
    spot("h", [0.93, 0.1, 175], 0.9),
    `<path id="s" d="M-43 10v-39q0-14 14-14h58z" fill="#fff" opacity=".2"/>`,
  ].join("");
}
