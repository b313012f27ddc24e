import { DRAWN, NUMBERS, paytable } from "@/lib/fair/games/keno";
import type { Multiple } from "@/lib/fair/games/multiple";

/** How many choices of k among n there are. */
export function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let i = 0; i < k; i += 1) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
  return ways;
}

/** How many different draws there are. */
export const draws = choose(NUMBERS, DRAWN);

/** How many of all draws hit exactly so many of the picks. */
export function hitWays(picks: number, hits: number): bigint {
  return choose(picks, hits) * choose(NUMBERS - picks, DRAWN - hits);
}

/** What so many picks pay back on average, exactly. */
export function returned(picks: number): Multiple {
  const top = paytable(picks).reduce(
    (sum, pays, hits) => sum + BigInt(pays) * hitWays(picks, hits),
    0n,
  );
  return { top, bottom: 100n * draws };
}
