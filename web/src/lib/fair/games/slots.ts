import type { FairStream } from "../stream";
import machinesJson from "./machines.json";
import { type Multiple, multipleText } from "./multiple";
import { type GameEvent, type Progress, atMostLast, over } from "./rules";

type Reels = readonly (readonly number[])[];
type Place = readonly [reel: number, row: number];

/** A machine as data; what each part means is said beside the rules of the server. */
export type Machine = {
  rows: number;
  source: { strips: Reels } | { weights: { reels: number; weights: readonly number[] } };
  pays: { lines: Reels } | "ways" | { clusters: readonly number[] };
  table: Reels;
  wild: number | null;
  scatter: {
    symbol: number;
    pays: readonly number[];
    spins: readonly number[];
    multiplier: number;
  } | null;
  falls: { paid: readonly number[]; free: readonly number[] } | null;
  most: number;
};

export type SlotCode = keyof typeof machinesJson;
export const machines = machinesJson as unknown as Readonly<Record<SlotCode, Machine>>;

type Win = { symbol: number; places: readonly Place[]; ways: number; pays: number };

const MOST_FALLS = 200;

/** The rules of a machine. */
export function slot(machine: Machine): (stream: FairStream) => Promise<Progress> {
  return async (stream) => {
    const round = new Round(machine, stream);
    const spins = await round.turn(false);
    if (spins > 0) round.events.push({ type: "free", spins });
    for (let spin = 0; spin < spins && !round.isFull(); spin += 1) await round.turn(true);
    return round.end();
  };
}

class Round {
  readonly events: GameEvent[] = [];
  private hundredths = 0n;
  private readonly shares: bigint;

  constructor(
    private readonly machine: Machine,
    private readonly stream: FairStream,
  ) {
    const { pays } = machine;
    this.shares = BigInt(typeof pays === "object" && "lines" in pays ? pays.lines.length : 1);
  }

  /** One spin with its falls; how many free ones its scatters give. */
  async turn(free: boolean): Promise<number> {
    const { machine } = this;
    let reels = await this.draw();
    this.events.push({ type: "spin", reels, free });
    const spins = this.payScatters(reels, free);
    for (let fall = 0; fall < MOST_FALLS; fall += 1) {
      const wins = findWins(machine, reels);
      this.pay(wins, this.multiplier(free, fall));
      if (wins.length === 0 || !machine.falls) break;
      reels = await this.fall(
        reels,
        wins.flatMap((win) => win.places),
      );
      this.events.push({ type: "fall", reels });
    }
    return free ? 0 : spins;
  }

  isFull(): boolean {
    return this.hundredths >= BigInt(this.machine.most) * this.shares;
  }

  end(): Progress {
    if (!this.isFull()) return over(this.events, this.share(this.hundredths));
    return over([...this.events, { type: "most" }], {
      top: BigInt(this.machine.most),
      bottom: 100n,
    });
  }

  private share(hundredths: bigint): Multiple {
    return { top: hundredths, bottom: 100n * this.shares };
  }

  private freeMultiplier(free: boolean): number {
    return free ? (this.machine.scatter?.multiplier ?? 1) : 1;
  }

  private multiplier(free: boolean, fall: number): number {
    const { falls } = this.machine;
    const ladder = falls ? atMostLast(free ? falls.free : falls.paid, fall) : 1;
    return ladder * this.freeMultiplier(free);
  }

  private payScatters(reels: Reels, free: boolean): number {
    const { scatter } = this.machine;
    if (!scatter) return 0;
    const places = placesOf(reels, (symbol) => symbol === scatter.symbol);
    const pays = atMostLast(scatter.pays, places.length) * this.freeMultiplier(free);
    if (pays > 0) {
      this.hundredths += BigInt(pays) * this.shares;
      const multiplier = multipleText({ top: BigInt(pays), bottom: 100n });
      this.events.push({ type: "win", symbol: scatter.symbol, places, ways: 1, multiplier });
    }
    return atMostLast(scatter.spins, places.length);
  }

  private pay(wins: readonly Win[], multiplier: number): void {
    for (const { symbol, places, ways, pays } of wins) {
      const hundredths = BigInt(pays) * BigInt(multiplier);
      this.hundredths += hundredths;
      const text = multipleText(this.share(hundredths));
      this.events.push({ type: "win", symbol, places, ways, multiplier: text });
    }
  }

  private async draw(): Promise<Reels> {
    const { source, rows } = this.machine;
    const reels: number[][] = [];
    if ("strips" in source) {
      for (const strip of source.strips) {
        const stop = await this.stream.below(strip.length);
        reels.push(
          Array.from({ length: rows }, (_, row) => strip[(stop + row) % strip.length] ?? 0),
        );
      }
      return reels;
    }
    for (let reel = 0; reel < source.weights.reels; reel += 1) {
      const symbols: number[] = [];
      for (let row = 0; row < rows; row += 1) symbols.push(await this.weighted());
      reels.push(symbols);
    }
    return reels;
  }

  private async weighted(): Promise<number> {
    const { source } = this.machine;
    const weights = "weights" in source ? source.weights.weights : [];
    let drawn = await this.stream.below(weights.reduce((sum, weight) => sum + weight, 0));
    return weights.findIndex((weight) => {
      drawn -= weight;
      return drawn < 0;
    });
  }

  /** Takes symbols away; those above fall down, and others come from the top. */
  private async fall(reels: Reels, gone: readonly Place[]): Promise<Reels> {
    const fallen: number[][] = [];
    for (const [reel, symbols] of reels.entries()) {
      const isGone = (row: number) => gone.some(([r, at]) => r === reel && at === row);
      const kept = symbols.filter((_, row) => !isGone(row));
      const fresh: number[] = [];
      while (fresh.length + kept.length < symbols.length) fresh.push(await this.weighted());
      fallen.push([...fresh, ...kept]);
    }
    return fallen;
  }
}

function placesOf(reels: Reels, isWanted: (symbol: number) => boolean): Place[] {
  return reels.flatMap((symbols, reel) =>
    symbols.flatMap((symbol, row) => (isWanted(symbol) ? [[reel, row] as const] : [])),
  );
}

function findWins(machine: Machine, reels: Reels): Win[] {
  const { pays } = machine;
  if (pays === "ways")
    return plainSymbols(machine).flatMap((symbol) => waysOf(machine, reels, symbol));
  if ("lines" in pays) return pays.lines.flatMap((rows) => lineWin(machine, reels, rows));
  const { clusters } = pays;
  return plainSymbols(machine).flatMap((symbol) => clustersOf(machine, reels, clusters, symbol));
}

function plainSymbols({ table, wild, scatter }: Machine): number[] {
  return [...table.keys()].filter((symbol) => symbol !== wild && symbol !== scatter?.symbol);
}

const paysFor = (machine: Machine, symbol: number, step: number): number =>
  machine.table[symbol]?.[step] ?? 0;

/** How many from the left are alike. */
function run(symbols: readonly number[], isAlike: (symbol: number) => boolean): number {
  const end = symbols.findIndex((symbol) => !isAlike(symbol));
  return end < 0 ? symbols.length : end;
}

/** Wilds at the beginning count for what follows, or for themselves if that is more. */
function lineWin(machine: Machine, reels: Reels, rows: readonly number[]): Win[] {
  const { wild, scatter } = machine;
  const symbols = rows.map((row, reel) => reels[reel]?.[row] ?? 0);
  const wilds = run(symbols, (symbol) => symbol === wild);
  const next = symbols[wilds];
  const found: { symbol: number; count: number; pays: number }[] = [];
  if (next !== undefined && next !== scatter?.symbol) {
    const count = run(symbols, (symbol) => symbol === next || symbol === wild);
    found.push({ symbol: next, count, pays: paysFor(machine, next, count - 1) });
  }
  if (wild !== null && wilds > 0) {
    found.push({ symbol: wild, count: wilds, pays: paysFor(machine, wild, wilds - 1) });
  }
  const [best] = found.toSorted((a, b) => b.pays - a.pays);
  if (!best || best.pays === 0) return [];
  const places = rows.slice(0, best.count).map((row, reel): Place => [reel, row]);
  return [{ symbol: best.symbol, places, ways: 1, pays: best.pays }];
}

function waysOf(machine: Machine, reels: Reels, symbol: number): Win[] {
  const joins = (other: number) => other === symbol || other === machine.wild;
  const width = run(
    reels.map((symbols) => symbols.filter(joins).length),
    (count) => count > 0,
  );
  const near = reels.slice(0, width);
  const ways = near.reduce((product, symbols) => product * symbols.filter(joins).length, 1);
  const pays = width > 0 ? paysFor(machine, symbol, width - 1) * ways : 0;
  return pays > 0 ? [{ symbol, places: placesOf(near, joins), ways, pays }] : [];
}

function clustersOf(
  machine: Machine,
  reels: Reels,
  sizes: readonly number[],
  symbol: number,
): Win[] {
  const seen = new Set<string>();
  const wins: Win[] = [];
  for (const place of placesOf(reels, (other) => other === symbol)) {
    if (seen.has(place.join())) continue;
    const places = connected(reels, place, (other) => other === symbol || other === machine.wild);
    for (const found of places) seen.add(found.join());
    const step = sizes.filter((size) => size <= places.length).length - 1;
    const pays = step < 0 ? 0 : paysFor(machine, symbol, step);
    if (pays > 0) wins.push({ symbol, places, ways: 1, pays });
  }
  return wins;
}

/** The places that hang together with one, side by side. */
function connected(reels: Reels, start: Place, joins: (symbol: number) => boolean): Place[] {
  const found = new Map<string, Place>([[start.join(), start]]);
  for (const [reel, row] of found.values()) {
    const around: Place[] = [
      [reel - 1, row],
      [reel + 1, row],
      [reel, row - 1],
      [reel, row + 1],
    ];
    for (const place of around) {
      const symbol = reels[place[0]]?.[place[1]];
      if (symbol !== undefined && joins(symbol)) found.set(place.join(), place);
    }
  }
  return [...found.values()].toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
}
