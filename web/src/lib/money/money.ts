/**
 * Money on the client. The server decides every amount; this module only reads, previews and shows.
 * Amounts travel as decimal text and are counted here in ten-thousandths on BigInt, because a float
 * cannot hold them: 0.1 + 0.2 is not 0.3.
 */
export type Units = bigint;

/** Ten-thousandths in one whole unit. */
export const ONE: Units = 10_000n;
/** The smallest amount that can be paid out: 0.01. */
export const PAYABLE: Units = 100n;

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const SHAPE = /^(-?)(\d+)(?:\.(\d{1,4}))?$/;

/** Reads canonical or longhand decimal text; null when it is no amount the server would take. */
export function parseMoney(text: string): Units | null {
  const match = SHAPE.exec(text);
  if (!match) return null;
  const whole = BigInt(match[2] ?? "0") * ONE;
  const part = BigInt((match[3] ?? "").padEnd(4, "0"));
  const units = match[1] === "-" ? -(whole + part) : whole + part;
  return units < MIN || units > MAX ? null : units;
}

/** Like `parseMoney`, for text that the server wrote: anything else is a fault, not an input error. */
export function moneyUnits(text: string): Units {
  const units = parseMoney(text);
  if (units === null) throw new RangeError(`not an amount: ${text}`);
  return units;
}

/** Canonical text: no trailing zeros, no plus sign, "0" for zero. */
export function moneyText(units: Units): string {
  const size = units < 0n ? -units : units;
  const part = (size % ONE).toString().padStart(4, "0").replace(/0+$/, "");
  const text = part === "" ? `${size / ONE}` : `${size / ONE}.${part}`;
  return units < 0n ? `-${text}` : text;
}

/** `units × numerator ÷ denominator`, rounded down to a multiple of `step`. */
export function timesFloor(
  units: Units,
  numerator: bigint,
  denominator: bigint,
  step: Units = PAYABLE,
): Units {
  return floorDiv(units * numerator, denominator * step) * step;
}

/** Rounds down to a multiple of `step`. */
export function floorTo(units: Units, step: Units = PAYABLE): Units {
  return floorDiv(units, step) * step;
}

/** The nearest amount inside the two bounds. */
export function clamp(units: Units, low: Units, high: Units): Units {
  if (units < low) return low;
  return units > high ? high : units;
}

/** A quotient as decimal text with exactly `places` decimals, rounded down: 9900/4950 → "2.0000". */
export function ratioText(numerator: bigint, denominator: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const scaled = floorDiv(numerator * scale, denominator);
  const part = (scaled % scale).toString().padStart(places, "0");
  return places === 0 ? `${scaled}` : `${scaled / scale}.${part}`;
}

/** The amount as a person reads it: `₱1,250.50`, or `1,250.50 FUN` for play money. */
export function formatMoney(text: string, currency: string, tag: string): string {
  return formatter(currency, tag)(text as `${number}`);
}

/** A plain number from decimal text, grouped for the language tag: `1,250.5`. */
export function formatDecimal(text: string, tag: string, places = 0): string {
  return new Intl.NumberFormat(tag, {
    minimumFractionDigits: places,
    maximumFractionDigits: Math.max(places, 4),
  }).format(text as `${number}`);
}

/** A share as a person reads it: `99%`, `49.5%`. The value is in percent, not a fraction. */
export function formatPercent(value: string | number, tag: string, places = 0): string {
  return new Intl.NumberFormat(tag, {
    style: "unit",
    unit: "percent",
    minimumFractionDigits: places,
    maximumFractionDigits: Math.max(places, 4),
  }).format(Number(value));
}

type Format = (text: `${number}`) => string;
const formatters = new Map<string, Format>();

function formatter(currency: string, tag: string): Format {
  const id = `${currency}/${tag}`;
  const known = formatters.get(id);
  if (known) return known;
  const made = makeFormatter(currency, tag);
  formatters.set(id, made);
  return made;
}

function makeFormatter(currency: string, tag: string): Format {
  const places = { minimumFractionDigits: 2, maximumFractionDigits: 4 } as const;
  if (currency === "FUN") {
    const number = new Intl.NumberFormat(tag, places);
    return (text) => `${number.format(text)} FUN`;
  }
  const money = new Intl.NumberFormat(tag, {
    ...places,
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  return (text) => money.format(text);
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
