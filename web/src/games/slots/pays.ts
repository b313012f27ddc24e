import type { Machine } from "@/lib/fair/games/slots";
import { type Multiple, payoutOf } from "@/lib/fair/games/multiple";
import type { Units } from "@/lib/money/money";

/** What so many of a symbol pay: how many in words of the machine (“5”, “8–9”, “15+”), and the multiple of the stake. */
export type Pay = { count: string; multiple: Multiple };

/** What a symbol pays, the most first. Empty for symbols that pay nothing by themselves. */
export function paysOf(machine: Machine, symbol: number): Pay[] {
  const { pays, table, scatter } = machine;
  const shares = typeof pays === "object" && "lines" in pays ? pays.lines.length : 1;
  const isScatter = symbol === scatter?.symbol;
  const hundredths = isScatter ? scatter.pays.slice(1) : (table[symbol] ?? []);
  const counts =
    typeof pays === "object" && "clusters" in pays && !isScatter ? ranges(pays.clusters) : null;
  return hundredths
    .map((pay, i) => ({
      count: counts?.[i] ?? String(i + 1),
      multiple: { top: BigInt(pay), bottom: 100n * BigInt(isScatter ? 1 : shares) },
    }))
    .filter(({ multiple }) => multiple.top > 0n)
    .toReversed();
}

/** Sizes that pay the same: every size but the last holds until the next one. */
function ranges(sizes: readonly number[]): string[] {
  return sizes.map((size, i) => {
    const next = sizes[i + 1];
    if (next === undefined) return `${size}+`;
    return next === size + 1 ? `${size}` : `${size}–${next - 1}`;
  });
}

/** Free spins by how many scatters give them. */
export function freeSpinsOf({ scatter, pays }: Machine): { count: string; spins: number }[] {
  const given = (scatter?.spins ?? []).flatMap((spins, count) =>
    spins > 0 ? [{ count, spins }] : [],
  );
  // More than the list has count as its last; on a grid with lines or ways there can be no more.
  const isOpen = typeof pays === "object" && "clusters" in pays;
  return given.map(({ count, spins }, i) => ({
    count: isOpen && i === given.length - 1 ? `${count}+` : `${count}`,
    spins,
  }));
}

/** The amount that a multiple is for a stake. */
export function amountOf({ multiple }: Pay, stake: Units): Units {
  return payoutOf(multiple, stake);
}

/** The symbols that a machine has, in the order in which a paytable shows them: those that pay most first. */
export function symbolsOf(machine: Machine): number[] {
  const { table, wild, scatter } = machine;
  const special = [wild, scatter?.symbol ?? null].filter((symbol) => symbol !== null);
  const most = (symbol: number) => Math.max(0, ...(table[symbol] ?? []));
  const plain = [...table.keys()].filter(
    (symbol) => !special.includes(symbol) && (table[symbol]?.length ?? 0) > 0,
  );
  return [...special, ...plain.toSorted((a, b) => most(b) - most(a))];
}
