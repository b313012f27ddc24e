import { type Units, floorTo } from "@/lib/money/money";

/** What a counter shows on its way; it slows down towards the end, and ends exactly. */
export function counted(from: Units, to: Units, part: number): Units {
  if (part >= 1) return to;
  const eased = 1 - (1 - Math.max(0, part)) ** 2;
  return floorTo(from + ((to - from) * BigInt(Math.round(eased * 10_000))) / 10_000n);
}

/** How a payout feels beside its stake: what comes back is no win, and only large wins are celebrated for long. */
export type Joy = "nothing" | "back" | "win" | "big" | "huge";

export function joyOf(payout: Units, stake: Units): Joy {
  if (payout === 0n) return "nothing";
  if (payout <= stake) return "back";
  if (payout < stake * 10n) return "win";
  return payout < stake * 50n ? "big" : "huge";
}

/** How long a payout is counted up, in milliseconds. */
export const COUNT_MS: Readonly<Record<Joy, number>> = {
  nothing: 0,
  back: 350,
  win: 700,
  big: 1800,
  huge: 3200,
};
