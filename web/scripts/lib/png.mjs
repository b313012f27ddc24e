import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Colours that a palette may have. */
const MOST = 256;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** The size of a PNG picture. */
export function sizeOf(png) {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

/**
 * The same picture with a palette of at most 256 colours, a quarter as large. For opaque pictures of 8 bits
 * in RGB or RGBA that are not interlaced, as browsers make them.
 */
export function withPalette(png) {
  const { width, height, pixels } = decode(png);
  const { colors, indexOf } = palette(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + x + 1] = indexOf(pixels, (y * width + x) * 3);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(colors.flat())),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Red, green and blue of every pixel. */
function decode(png) {
  const [width, height] = sizeOf(png);
  const [depth, kind, , , interlaced] = png.subarray(24);
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced) throw new Error("not such a PNG");
  const bytes = kind === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const name = png.toString("latin1", at + 4, at + 8);
    if (name === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), width * bytes, height, bytes);
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i += 1) rows.copy(pixels, i * 3, i * bytes, i * bytes + 3);
  return { width, height, pixels };
}

/** Rows as they were before each was written as its difference from its neighbours. */
function unfiltered(raw, stride, height, bytes) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < bytes ? 0 : out[at - bytes];
      const up = y === 0 ? 0 : out[at - stride];
      const corner = x < bytes || y === 0 ? 0 : out[at - stride - bytes];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Colours that are alike to six bits count as one. */
const keyOf = (pixels, at) =>
  ((pixels[at] >> 2) << 12) | ((pixels[at + 1] >> 2) << 6) | (pixels[at + 2] >> 2);

/** A palette by median cut: the box with the widest spread of pixels is halved until there are enough. */
function palette(pixels) {
  const seen = new Map();
  for (let at = 0; at < pixels.length; at += 3) {
    const key = keyOf(pixels, at);
    const entry = seen.get(key) ?? { key, count: 0, sum: [0, 0, 0] };
    entry.count += 1;
    for (let i = 0; i < 3; i += 1) entry.sum[i] += pixels[at + i];
    seen.set(key, entry);
  }
  const entries = [...seen.values()].map(({ key, count, sum }) => ({
    key,
    count,
    color: sum.map((value) => value / count),
  }));
  const boxes = [box(entries)];
  while (boxes.length < MOST) {
    const widest = boxes.reduce((best, other) => (other.worth > best.worth ? other : best));
    if (widest.worth === 0) break;
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest));
  }
  const places = new Map(boxes.flatMap(({ entries: own }, i) => own.map(({ key }) => [key, i])));
  return { colors: boxes.map(mean), indexOf: (data, at) => places.get(keyOf(data, at)) };
}

function box(entries) {
  const ranges = [0, 1, 2].map((i) => {
    const values = entries.map(({ color }) => color[i]);
    return Math.max(...values) - Math.min(...values);
  });
  const axis = ranges.indexOf(Math.max(...ranges));
  const count = entries.reduce((sum, entry) => sum + entry.count, 0);
  // Many pixels matter, but a small bright thing must not lose its colour to a large dark ground.
  return { entries, axis, worth: entries.length > 1 ? ranges[axis] ** 2 * Math.sqrt(count) : 0 };
}

function halves({ entries, axis }) {
  const sorted = entries.toSorted((a, b) => a.color[axis] - b.color[axis]);
  const middle = (sorted[0].color[axis] + sorted.at(-1).color[axis]) / 2;
  const cut = sorted.findIndex(({ color }) => color[axis] > middle);
  return [box(sorted.slice(0, cut)), box(sorted.slice(cut))];
}

function mean({ entries }) {
  const total = entries.reduce((sum, { count }) => sum + count, 0);
  return [0, 1, 2].map((i) =>
    Math.round(entries.reduce((sum, { color, count }) => sum + color[i] * count, 0) / total),
  );
}
