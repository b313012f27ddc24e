import { closed, list, n, n3 } from "../svg.mjs";

const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** The six faces as [name, normal, right, down]. */
const FACES = [
  ["front", [0, 0, 1], [1, 0, 0], [0, 1, 0]],
  ["back", [0, 0, -1], [-1, 0, 0], [0, 1, 0]],
  ["top", [0, -1, 0], [1, 0, 0], [0, 0, 1]],
  ["bottom", [0, 1, 0], [1, 0, 0], [0, 0, -1]],
  ["right", [1, 0, 0], [0, 0, -1], [0, 1, 0]],
  ["left", [-1, 0, 0], [0, 0, 1], [0, 1, 0]],
];

/**
 * A translucent die of edge `size` around the origin, seen from the front after three turns in
 * degrees. `values` are front, top and right; opposite faces add up to seven. `paint` gives fills for
 * the top, left and right side and colours for core, edge and pips.
 */
export function die(size, turns, values, paint) {
  const [front, top, right] = values;
  const shown = { front, top, right, back: 7 - front, bottom: 7 - top, left: 7 - right };
  const turn = rotation(turns);
  const faces = FACES.map((face) => place(face, turn, size));
  const near = faces.filter((face) => face.depth > 0.02).toSorted((a, b) => a.depth - b.depth);
  const far = faces.filter((face) => face.depth <= 0.02);
  const core = `<path d="${outline(turn, size * 0.41)}" fill="${paint.core}" stroke="${paint.core}" stroke-width="${n(size * 0.18)}" stroke-linejoin="round"/>`;
  const body = [
    core,
    ...far.map((face) => group(face, dots(shown[face.name], paint.deep, 20), ' opacity=".35"')),
    ...near.map((face) =>
      group(
        face,
        side(face, paint) +
          dots(shown[face.name], paint.pip, 20) +
          dots(shown[face.name], paint.glint, 11, 3),
      ),
    ),
  ];
  return `<g stroke-linecap="round">${body.join("")}</g>`;
}

function rotation([x, y, z]) {
  const [a, b, c] = [x, y, z].map((degrees) => (degrees * Math.PI) / 180);
  return ([px, py, pz]) => {
    const [x1, z1] = [px * Math.cos(b) + pz * Math.sin(b), pz * Math.cos(b) - px * Math.sin(b)];
    const [y2, z2] = [py * Math.cos(a) - z1 * Math.sin(a), py * Math.sin(a) + z1 * Math.cos(a)];
    return [x1 * Math.cos(c) - y2 * Math.sin(c), x1 * Math.sin(c) + y2 * Math.cos(c), z2];
  };
}

function place([name, normal, right, down], turn, size) {
  const [nx, ny, depth] = turn(normal);
  const [u, v] = [turn(right), turn(down)];
  const numbers = [u[0], u[1], v[0], v[1]].map((part) => n3((part * size) / 100));
  const middle = [(nx * size) / 2, (ny * size) / 2].map(n);
  return { name, depth, normal: [nx, ny], matrix: [...numbers, ...middle].join(" ") };
}

function group(face, body, more = "") {
  return `<g transform="matrix(${face.matrix})"${more}>${body}</g>`;
}

function side(face, paint) {
  const fill = face.normal[1] < -0.45 ? paint.top : face.normal[0] < 0 ? paint.left : paint.right;
  return `<rect x="-49" y="-49" width="98" height="98" rx="15" fill="${fill}" stroke="${paint.edge}" stroke-width="1.4"/><use href="#s"/>`;
}

/** Pips as dots of a round pen: the shortest way to write a circle. */
function dots(value, color, width, shift = 0) {
  const d = PIPS[value].map(([x, y]) => `M${list(x * 26 + shift, y * 26 + shift)}h0`).join("");
  return `<path d="${d}" stroke="${color}" stroke-width="${width}"/>`;
}

function outline(turn, half) {
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z) => turn([x * half, y * half, z * half]))),
  );
  return closed(hull(corners.map(([x, y]) => [x, y])));
}

function hull(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const side = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...side(sorted), ...side(sorted.toReversed())];
}

function cross(o, a, b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}
