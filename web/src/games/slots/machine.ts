import type { Machine } from "@/lib/fair/games/slots";

import type { Grid } from "./book";
import type { SlotSeat } from "./words";

export function reelsOf({ source }: Machine): number {
  return "strips" in source ? source.strips.length : source.weights.reels;
}

/** What runs past on a reel: its strip, or for machines without strips every symbol in turn. */
export function stripOf({ source }: Machine, reel: number): readonly number[] {
  if ("strips" in source) return source.strips[reel] ?? [];
  const { length } = source.weights.weights;
  return Array.from({ length }, (_, symbol) => (symbol * 5 + reel * 3) % length);
}

/** What lies there before the first round. */
export function firstGrid(machine: Machine): Grid {
  return Array.from({ length: reelsOf(machine) }, (_, reel) => {
    const strip = stripOf(machine, reel);
    return Array.from(
      { length: machine.rows },
      (_, row) => strip[(reel * 7 + row) % strip.length] ?? 0,
    );
  });
}

/** How a machine pays, in two words. */
export function howItPays(machine: Machine, { text }: SlotSeat): string {
  const { pays, rows } = machine;
  if (pays === "ways") return text("slots.how_ways", rows ** reelsOf(machine));
  if ("lines" in pays) return text("slots.how_lines", pays.lines.length);
  return text("slots.how_clusters", pays.clusters[0] ?? 0);
}
