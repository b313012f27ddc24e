import { parseMoney } from "@/lib/money/money";
import type { Search } from "../address";
import { startOfDay } from "../clock";
import type { FindMembers, RecordQuery, RoundsQuery } from "./api";

/** Rows of a page. */
export const pageSize = 50;

function read<N extends keyof Search>(search: Search, names: readonly N[]): Record<N, string> {
  return Object.fromEntries(names.map((name) => [name, search[name] ?? ""])) as Record<N, string>;
}

/** What members are looked for. */
export const memberNames = ["who", "merchant", "state", "kind"] as const;
export const readMembers = (search: Search) => read(search, memberNames);

/** The order can be chosen where nothing is looked for by a text. */
export const hasOrder = (search: Search) => (search.who ?? "").trim() === "";

export function membersOf(search: Search): FindMembers {
  const { who, merchant, state, kind } = readMembers(search);
  return {
    ...(who.trim() && { q: who.trim() }),
    ...(merchant && { merchant }),
    ...(state && { state }),
    ...(kind && { kind }),
    ...(hasOrder(search) && search["order"] === "registered" && { order: "oldest" }),
  };
}

/** What transfers are looked for. */
export const recordNames = ["reason", "account", "from", "until", "least", "most"] as const;
export const readRecord = (search: Search) => read(search, recordNames);

/** An amount as people type it; what is none is not asked for. */
function amountOf(text: string): string | undefined {
  const plain = text.replaceAll(/[\s,]/g, "");
  return parseMoney(plain) === null ? undefined : plain;
}

export function recordOf(search: Search): RecordQuery {
  const { reason, account, from, until, least, most } = readRecord(search);
  const begin = startOfDay(from);
  const end = startOfDay(until, 1);
  const [low, high] = [amountOf(least), amountOf(most)];
  return {
    ...(reason && { kind: reason }),
    ...(account && { account }),
    ...(begin && { from: begin }),
    ...(end && { until: end }),
    ...(low && { least: low }),
    ...(high && { most: high }),
  };
}

/** What rounds are looked for. */
export const roundNames = ["game", "from", "until"] as const;
export const readRounds = (search: Search) => read(search, roundNames);

export function roundsOf(search: Search): RoundsQuery {
  const { game, from, until } = readRounds(search);
  const begin = startOfDay(from);
  const end = startOfDay(until, 1);
  return { ...(game && { game }), ...(begin && { from: begin }), ...(end && { until: end }) };
}

/** A number of a row in the address. */
export function numberIn(search: Search, name: keyof Search): number | undefined {
  const value = Number(search[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
