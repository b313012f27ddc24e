import { type Chance, between } from "@/lib/random";

/**
 * The counter of the home page is a simulated display: nothing is behind it, and the page says so beside it. It is
 * counted in hundredths.
 */
const starts = { low: 1_100_000_000_000, high: 1_200_000_000_000 };
const rises = { low: 10_000, high: 50_000 };
const waits = { low: 3000, high: 5000 };

/** Where it begins: between 11 and 12 billion, with two decimals. */
export function firstFigure(chance: Chance): number {
  return between(starts.low, starts.high, chance);
}

/** It rises by 100 to 500. */
export function nextFigure(figure: number, chance: Chance): number {
  return figure + between(rises.low, rises.high, chance);
}

/** It stands for 3 to 5 seconds. */
export function figureStands(chance: Chance): number {
  return between(waits.low, waits.high, chance);
}

/** As decimal text. */
export function figureText(figure: number): string {
  return (figure / 100).toFixed(2);
}
