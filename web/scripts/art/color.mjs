/** OKLCH to OKLab: [L, a, b]. */
export function oklab([l, c, h]) {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

/** OKLCH to a hexadecimal sRGB colour; colours outside sRGB lose chroma until they fit. */
export function hex(color) {
  let [l, c, h] = color;
  let rgb = linear(oklab([l, c, h]));
  while (c > 0.004 && rgb.some((v) => v < -0.0005 || v > 1.0005)) {
    c -= 0.004;
    rgb = linear(oklab([l, c, h]));
  }
  const text = rgb.map((v) => Math.round(255 * gamma(Math.min(1, Math.max(0, v)))));
  return short(`#${text.map((v) => v.toString(16).padStart(2, "0")).join("")}`);
}

/** The distance of two OKLCH colours in OKLab. */
export function colorDistance(one, two) {
  const [a, b] = [oklab(one), oklab(two)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Moves a colour: lighter or darker, more or less chroma, around the hue circle. */
export function shift([l, c, h], dl = 0, dc = 0, dh = 0) {
  return [Math.min(1, Math.max(0, l + dl)), Math.max(0, c + dc), (h + dh + 360) % 360];
}

function linear([l, a, b]) {
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

function gamma(v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;
}

function short(text) {
  const [, a, b, c, d, e, f] = text;
  return a === b && c === d && e === f ? `#${a}${c}${e}` : text;
}
