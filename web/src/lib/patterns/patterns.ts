/** What the fields of a form may look like. The server has its own implementation; `vectors/patterns.json` keeps both equal. */

type Ranges = readonly (readonly [number, number])[];

const upper: Ranges = [[0x41, 0x5a]];
const lower: Ranges = [[0x61, 0x7a]];
const digits: Ranges = [[0x30, 0x39]];
const letters: Ranges = [...upper, ...lower];
const alphanumeric: Ranges = [...letters, ...digits];
const symbols: Ranges = [
  [0x21, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0x7e],
];
const ideographs: Ranges = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
];
const korean: Ranges = [
  [0x1100, 0x11ff],
  [0x3131, 0x318e],
  [0xac00, 0xd7a3],
];
const thai: Ranges = [
  [0x0e01, 0x0e3a],
  [0x0e40, 0x0e4e],
];
const kanji: Ranges = [...ideographs, [0x3005, 0x3005], [0x3007, 0x3007], [0x20000, 0x2a6df]];
const hiragana: Ranges = [
  [0x3041, 0x3096],
  [0x309d, 0x309e],
  [0x30fc, 0x30fc],
];
const fullWidth: Ranges = [
  ...kanji,
  [0x3000, 0x3096],
  [0x309b, 0x30ff],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
];
const spaces: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
/** English letters, the signs that names have, and the letters of all other scripts. */
const ofNames: Ranges = [
  ...letters,
  [0x27, 0x27],
  [0x2d, 0x2e],
  [0xa1, 0x167f],
  [0x1681, 0x1fff],
  [0x2c00, 0x2fff],
  [0x3001, 0xd7ff],
  [0xf900, 0xfefe],
  [0x10000, 0x10ffff],
];

function codes(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

const within = (ranges: Ranges) => (code: number) =>
  ranges.some(([first, last]) => first <= code && code <= last);

const every = (ranges: Ranges) => (text: string) =>
  text !== "" && codes(text).every(within(ranges));

const some = (ranges: Ranges) => (text: string) => codes(text).some(within(ranges));

const startsWithLetter = (text: string) => every(letters)(text.slice(0, 1));

function isFullName(text: string): boolean {
  const parts = text.split(" ");
  return parts.length === 2 && parts.every(every(ofNames));
}

const isAtom = (atom: string) => /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/.test(atom);

const isLabel = (label: string) =>
  label.length <= 63 &&
  /^[A-Za-z0-9-]+$/.test(label) &&
  !label.startsWith("-") &&
  !label.endsWith("-");

/** ASCII addresses of the common kind: no quotes, comments or address literals. */
function isEmail(text: string): boolean {
  const [local = "", host = "", ...more] = text.split("@");
  const labels = host.split(".");
  const top = labels.pop() ?? "";
  return (
    more.length === 0 &&
    text.length <= 254 &&
    local.length <= 64 &&
    local.split(".").every(isAtom) &&
    labels.length > 0 &&
    labels.every(isLabel) &&
    /^[A-Za-z]{2,63}$/.test(top)
  );
}

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return year > 0 && day > 0 && day <= (lengths[month - 1] ?? 0);
}

function isDate(form: RegExp): (text: string) => boolean {
  return (text) => {
    const { year, month, day } = form.exec(text)?.groups ?? {};
    return isDay(Number(year), Number(month), Number(day));
  };
}

const patterns = {
  any: () => true,
  alphanumeric: every(alphanumeric),
  letter_first: (text: string) => startsWithLetter(text) && every(alphanumeric)(text),
  chinese_digits: every([...digits, ...ideographs]),
  email: isEmail,
  digits: every(digits),
  one_uppercase: some(upper),
  uppercase: every(upper),
  mixed: (text: string) => [upper, lower, digits, symbols].every((kind) => some(kind)(text)),
  full_name: isFullName,
  no_spaces: (text: string) => text !== "" && !some(spaces)(text),
  english: every([...letters, [0x20, 0x20]]),
  date_ymd: isDate(/^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})$/),
  date_mdy: isDate(/^(?<month>[0-9]{2})-(?<day>[0-9]{2})-(?<year>[0-9]{4})$/),
  korean: every(korean),
  thai: every(thai),
  kanji: every(kanji),
  hiragana: every(hiragana),
  full_width: every(fullWidth),
  mobile: every(digits),
} satisfies Record<string, (text: string) => boolean>;

export type PatternId = keyof typeof patterns;

export const patternIds = Object.keys(patterns) as readonly PatternId[];

export function isPatternId(id: string): id is PatternId {
  return Object.hasOwn(patterns, id);
}

/** Whether a text has a pattern. An id that this page does not know yet is left to the server. */
export function fits(id: string, text: string): boolean {
  return !isPatternId(id) || patterns[id](text);
}

/** What a rule says of a field's text. */
export type Shape = { minLength: number; maxLength: number; patternId: string };

export type ShapeFault = "required" | "too_short" | "too_long" | "pattern";

/** The first fault of a text: none at all, its length in characters, its pattern. */
export function checkShape(
  { minLength, maxLength, patternId }: Shape,
  text: string,
): ShapeFault | null {
  const length = codes(text).length;
  if (length === 0) return "required";
  if (length < minLength) return "too_short";
  if (length > maxLength) return "too_long";
  return fits(patternId, text) ? null : "pattern";
}
