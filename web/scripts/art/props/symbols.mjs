import { digits, star } from "../svg.mjs";

/**
 * Symbols in a box from −50 to 50. `c` holds the tile's colours: ink (dark), body (main), soft
 * (lighter), pop (contrast) and pale (almost white).
 */
export const SYMBOLS = {
  seven: (c) =>
    `<path d="M-30-38h60v16q-26 24-28 60h-20q0-34 24-58h-36z" fill="${c.pop}" stroke="${c.ink}" stroke-width="4" stroke-linejoin="round"/>`,
  star: (c) =>
    `<path d="${star(5, 44, 19)}" fill="${c.pop}" stroke="${c.ink}" stroke-width="4" stroke-linejoin="round"/><path d="M0-44v44l-42-14z" fill="#fff" opacity=".35"/>`,
  sun: (c) =>
    `<path d="${star(8, 46, 24)}" fill="${c.pop}"/><circle r="20" fill="${c.body}"/><circle r="12" fill="${c.pale}"/>`,
  mango: (c) =>
    `<path d="M-34 20c-14-30 8-56 36-52 30 4 44 34 26 58-16 20-50 18-62-6z" fill="${c.pop}"/><path d="M-22 12c-8-20 6-36 24-36" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".5"/><path d="M4-32q6-16 26-14q-4 18-26 14z" fill="${c.ink}"/>`,
  pearl: (c) =>
    `<path d="M-44 4q0-38 44-38t44 38q-44 22-88 0z" fill="${c.body}" stroke="${c.ink}" stroke-width="4"/><path d="M-30 2l12-30M0 6v-38M30 2l-12-30" stroke="${c.ink}" stroke-width="3" opacity=".5"/><circle cy="20" r="20" fill="${c.pale}"/><circle cx="-6" cy="14" r="6" fill="#fff"/>`,
  parol: (c) =>
    `<circle r="44" fill="none" stroke="${c.pop}" stroke-width="5"/><path d="${star(5, 42, 17)}" fill="${c.body}" stroke="${c.pale}" stroke-width="3"/><path d="${star(5, 20, 8, 90)}" fill="${c.pop}"/><path d="M-26 34l-8 16M26 34l8 16" stroke="${c.pop}" stroke-width="5" stroke-linecap="round"/>`,
  fish: (c) =>
    `<path d="M-46-22l20 16q20-24 46-18 22 6 26 24-8 22-34 24-22 2-38-16l-20 16q6-22 0-46z" fill="${c.pop}" stroke="${c.ink}" stroke-width="3"/><circle cx="26" cy="-4" r="6" fill="${c.pale}"/><circle cx="27" cy="-4" r="3" fill="${c.ink}"/><path d="M4-18q10 18 0 38" fill="none" stroke="${c.ink}" stroke-width="3"/>`,
  crown: (c) =>
    `<path d="M-42 30l-6-54 26 22 22-38 22 38 26-22-6 54z" fill="${c.pop}" stroke="${c.ink}" stroke-width="4" stroke-linejoin="round"/><circle cy="14" r="7" fill="${c.body}"/><circle cx="-24" cy="16" r="5" fill="${c.pale}"/><circle cx="24" cy="16" r="5" fill="${c.pale}"/>`,
  coin: (c) =>
    `<circle r="42" fill="${c.pop}"/><circle r="32" fill="none" stroke="${c.ink}" stroke-width="3"/><path d="M-8 22v-44h12q14 0 14 13t-14 13h-12M-18-14h40M-18-4h40" fill="none" stroke="${c.ink}" stroke-width="6"/>`,
  gem: (c) =>
    `<path d="M-44-12l18-24h52l18 24-44 50z" fill="${c.body}" stroke="${c.ink}" stroke-width="3"/><path d="M-44-12h88l-44 50z" fill="${c.pop}" opacity=".75"/><path d="M-16-12l16-24 16 24-16 50z" fill="${c.pale}" opacity=".8"/>`,
  bell: (c) =>
    `<path d="M-38 24q10-8 10-30 0-32 28-32t28 32q0 22 10 30z" fill="${c.pop}" stroke="${c.ink}" stroke-width="4" stroke-linejoin="round"/><circle cy="34" r="9" fill="${c.ink}"/>`,
  flower: (c) =>
    `${[0, 72, 144, 216, 288].map((a) => `<ellipse cy="-26" rx="14" ry="22" transform="rotate(${a})" fill="${c.pale}" stroke="${c.body}" stroke-width="3"/>`).join("")}<circle r="13" fill="${c.pop}"/>`,
  citrus: (c) =>
    `<circle r="44" fill="${c.pop}"/><circle r="36" fill="${c.pale}"/>${[0, 45, 90, 135, 180, 225, 270, 315].map((a) => `<path d="M0-5l10-24q-10-7-20 0z" transform="rotate(${a})" fill="${c.body}"/>`).join("")}`,
  chili: (c) =>
    `<path d="M28-34q14 8 6 28-14 36-72 46 34-22 36-52 0-26 30-22z" fill="${c.pop}" stroke="${c.ink}" stroke-width="3"/><path d="M24-32q0-12 16-16" stroke="${c.ink}" stroke-width="7" fill="none" stroke-linecap="round"/>`,
  vinta: (c) =>
    `<path d="M0-46q38 22 40 62h-40z" fill="${c.pop}"/><path d="M0-46q-26 26-36 62h36z" fill="${c.body}"/><path d="M0-16l30 10M0-34l16 8M0 4l38 4" stroke="${c.pale}" stroke-width="5"/><path d="M-46 22h92q-14 20-34 20h-24q-20 0-34-20z" fill="${c.ink}"/>`,
  leaf: (c) =>
    `<path d="M-36 40q-14-72 74-80 10 84-74 80z" fill="${c.body}"/><path d="M-36 40q26-44 60-64M-12 14l-4-24M-12 14l26 4M8-8l0-18M8-8l18 2" fill="none" stroke="${c.pale}" stroke-width="4" stroke-linecap="round"/>`,
  moon: (c) =>
    `<path d="M16-44q-50-2-54 42 2 44 48 46-26-18-26-44t32-44z" fill="${c.pop}"/><path d="${star(4, 18, 6)}" transform="translate(24 4)" fill="${c.pale}"/>`,
  bolt: (c) =>
    `<path d="M10-48l-38 54h22l-8 42 40-58h-24z" fill="${c.pop}" stroke="${c.ink}" stroke-width="4" stroke-linejoin="round"/>`,
  hat: (c) =>
    `<path d="M-48 22q48-76 96 0-48 22-96 0z" fill="${c.pop}" stroke="${c.ink}" stroke-width="3"/><path d="M-30 8q30 14 60 0M-18-8q18 8 36 0" fill="none" stroke="${c.ink}" stroke-width="3"/><circle cy="-22" r="6" fill="${c.ink}"/>`,
  jeep: (c) =>
    `<path d="M-48 18v-26l12-22h60l12 16 12 6v26z" fill="${c.pop}" stroke="${c.ink}" stroke-width="3"/><path d="M-34-8l6-14h16v14zm28 0v-14h16v14zm22 0v-14h6l10 14z" fill="${c.pale}"/><circle cx="-26" cy="20" r="11" fill="${c.ink}"/><circle cx="26" cy="20" r="11" fill="${c.ink}"/><path d="M-46 6h92" stroke="${c.body}" stroke-width="5"/>`,
  drum: (c) =>
    `<path d="M-38-20v40q38 22 76 0v-40z" fill="${c.pop}"/><ellipse cy="-20" rx="38" ry="15" fill="${c.pale}" stroke="${c.ink}" stroke-width="3"/><path d="M-38 10l16 18 16-16 16 20 16-20 24 0" fill="none" stroke="${c.ink}" stroke-width="4"/>`,
  mask: (c) =>
    `<path d="M-40-30q40-22 80 0 4 70-40 78-44-8-40-78z" fill="${c.pop}" stroke="${c.ink}" stroke-width="3"/><path d="M-26-8q12-10 22 0-10 8-22 0zm30 0q12-10 22 0-10 8-22 0zM-16 20q16 14 32 0-16 4-32 0z" fill="${c.ink}"/><path d="M0-40l10 16-10 8-10-8z" fill="${c.pale}"/>`,
  lucky8: (c) =>
    `<circle r="44" fill="${c.body}" stroke="${c.pop}" stroke-width="6"/>${digits("8", 52, c.pale, 0.24)}`,
  wave: (c) =>
    `<circle r="44" fill="${c.body}"/><path d="M-44 14q20-50 54-36 22 12 6 24-10 4-12-6-12 28 38 24-14 24-42 24-36-4-44-30z" fill="${c.pale}"/>`,
};

export const SYMBOL_NAMES = Object.keys(SYMBOLS);
