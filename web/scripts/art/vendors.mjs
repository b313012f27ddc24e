/**
 * The signs of vendors. A variant says where a sign stands: `default` and `active` in tabs, `white`
 * on pictures, `color` by itself, `purple` where a list of vendors is shown in one tone.
 */
const VARIANTS = {
  default: { panes: "#8a9c94", lit: "#8a9c94", word: "#8a9c94" },
  active: { panes: "#d99a1b", lit: "#f5b52e", word: "#d99a1b" },
  white: { panes: "#fff", lit: "#fff", word: "#fff" },
  color: { panes: "#3fa58a", lit: "#f5b52e", word: "#2f8f78" },
  purple: { panes: "#9a6fb8", lit: "#b98bd6", word: "#9a6fb8" },
};

/** The house's name in strokes: an image cannot use the page's fonts. */
const WORD =
  "M70 12q-4-6-13-6-16 0-16 14t16 14q9 0 13-6M80 34l14-28h4l14 28M87 25h18M123 34v-28h14q11 0 11 9t-11 9h-14M160 6v28M171 6h26l-26 28h27";

const SIGNS = {
  CAPIZ: ({ panes, lit, word }) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 208 40"><path d="M2 6h13v13h-13zM17 21h13v13h-13zM2 21h13v13h-13z" fill="${panes}"/><path d="M17 6h8a5 5 0 0 1 5 5v8h-13z" fill="${lit}"/><path d="${WORD}" fill="none" stroke="${word}" stroke-width="6.5" stroke-linejoin="round"/></svg>\n`,
};

/** Every sign by its path under the art folder. */
export function vendorSigns() {
  return Object.entries(SIGNS).flatMap(([vendor, sign]) =>
    Object.entries(VARIANTS).map(([variant, colors]) => [
      `vendor/${vendor}/${variant}.svg`,
      sign(colors),
    ]),
  );
}
