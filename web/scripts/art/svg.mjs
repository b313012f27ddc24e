/** A number as short SVG text: one decimal at most. */
export function n(value) {
  const text = (Math.round(value * 10) / 10).toString();
  return text.startsWith("0.") ? text.slice(1) : text.replace(/^-0\./, "-.");
}

/** A number with three decimals, for matrices. */
export function n3(value) {
  const text = (Math.round(value * 1000) / 1000).toString();
  return text.startsWith("0.") ? text.slice(1) : text.replace(/^-0\./, "-.");
}

/** Numbers in a row; the minus sign separates by itself. */
export function list(...values) {
  return values.map(n).join(" ").replaceAll(" -", "-");
}

/** A closed polygon as path data, with relative steps because they are shorter. */
export function closed(points) {
  const rounded = points.map(([x, y]) => [Math.round(x), Math.round(y)]);
  const [first, ...rest] = rounded;
  let [px, py] = first;
  let text = `M${first[0]} ${first[1]}`;
  for (const [x, y] of rest) {
    const [dx, dy] = [x - px, y - py];
    if (dy === 0) text += `h${dx}`;
    else if (dx === 0) text += `v${dy}`;
    else text += /l[^hv]*$/.test(text) ? ` ${list(dx, dy)}` : `l${list(dx, dy)}`;
    [px, py] = [x, y];
  }
  return `${text.replaceAll(" -", "-")}z`;
}

/** A regular star or polygon around the origin. */
export function star(points, outer, inner = outer, turn = -90) {
  const count = inner === outer ? points : points * 2;
  return closed(
    Array.from({ length: count }, (_, i) => {
      const radius = i % 2 && inner !== outer ? inner : outer;
      const angle = ((turn + (360 / count) * i) * Math.PI) / 180;
      return [radius * Math.cos(angle), radius * Math.sin(angle)];
    }),
  );
}

const DIGITS = [
  "M2 5q0-5 4-5t4 5v8q0 5-4 5t-4-5z",
  "M2 3l4-3v18",
  "M2 5q0-5 4-5t4 5q0 3-3 6l-5 7h8",
  "M2 4q0-4 4-4t4 4.5-4 4q4 0 4 4.5t-4 5-4-4",
  "M9 18v-18l-7 12h9",
  "M10 0h-7v8q1-1 3-1 4 0 4 5t-4 6q-4 0-4-4",
  "M10 4q0-4-4-4t-4 6v6q0 6 4 6t4-5-4-5-4 4",
  "M2 0h8l-5 18",
  "M6 8q-4 0-4-4t4-4 4 4-4 4q-4 0-4 5t4 5 4-5-4-5z",
  "M2 14q0 4 4 4t4-6v-6q0-6-4-6t-4 5 4 5 4-4",
];

/** A number drawn as strokes, centred on the origin; an image cannot use the page's fonts. */
export function digits(text, height, color, weight = 0.2) {
  const size = height / 18;
  const width = 13;
  const marks = [...String(text)].map((digit, i) => {
    const x = (i - String(text).length / 2) * width + 0.5;
    return `<path d="${DIGITS[Number(digit)]}" transform="translate(${list(x, -9)})"/>`;
  });
  return `<g transform="scale(${n3(size)})" fill="none" stroke="${color}" stroke-width="${n(18 * weight)}" stroke-linejoin="round" stroke-linecap="round">${marks.join("")}</g>`;
}
