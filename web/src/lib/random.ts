/**
 * Chance for what is only looked at: the simulated counter, the bars of the footer. Nothing that is won or lost comes
 * from here. A kept seed makes it repeat itself, so that two pictures of a page can be compared.
 */
export type Chance = () => number;

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What is kept in this browser to repeat pictures, else real chance. */
export function pageChance(): Chance {
  const seed = globalThis.localStorage?.getItem("seed");
  return seed ? seeded(Number(seed)) : Math.random;
}

/** A whole number between two others, both included. */
export function between(low: number, high: number, chance: Chance): number {
  return low + Math.floor(chance() * (high - low + 1));
}
