import { parseMoney } from "@/lib/money/money";
import { fromHex } from "./bytes";
import type { Evidence } from "./check";
import type { GameEvent } from "./games/rules";

/** The parts of a round of the server that decide it. */
export type AnyRound = {
  gameCode: string;
  stake: string;
  payout: string;
  most: string;
  choice: unknown;
  actions: readonly unknown[];
  book: readonly ({ type: string } & Record<string, unknown>)[];
  state: "open" | "over";
  seed: { commitment: string; clientSeed: string; serverSeed?: string | null };
  nonce: number;
};

/** More than any house pays: what a round without a limit of its own is held against. */
const NO_LIMIT = "922337203685477.5807";

/** The evidence in a round of the server; null while its seed is still secret. */
export function evidenceOf(round: AnyRound): Evidence | null {
  const { serverSeed, commitment, clientSeed } = round.seed;
  if (!serverSeed) return null;
  const payout = round.state === "open" ? null : round.payout;
  return {
    game: round.gameCode,
    serverSeed,
    commitment,
    clientSeed,
    nonce: round.nonce,
    choice: round.choice,
    actions: round.actions,
    stake: round.stake,
    most: round.most,
    claim: { events: round.book, payout },
  };
}

/** A round in a text: its evidence, or that its seed is still secret. */
export type Found = { id: string | null; game: string; evidence: Evidence | null };

/** Rounds that are read of one text; a longer list would keep the page busy for minutes. */
export const MOST_ROUNDS = 20_000;

/**
 * Finds the rounds in a text: one round, a list of them, or an answer of the server that holds them. Null when it
 * is no JSON; what in it is no round is left out and counted.
 */
export function readRounds(text: string): { found: Found[]; others: number } | null {
  const parsed = parse(text);
  if (parsed === undefined) return null;
  const items = itemsIn(parsed).slice(0, MOST_ROUNDS);
  const found = items.flatMap((item) => readRound(item) ?? []);
  return { found, others: items.length - found.length };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists lie in answers under `value` and `content`, in our files under `rounds`. */
function itemsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return [value];
  const inner = value["value"] ?? value["content"] ?? value["rounds"];
  return inner === undefined || inner === null ? [value] : itemsIn(inner);
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const isSeed = (value: string | null): value is string =>
  value !== null && fromHex(value)?.length === 32;
const isAmount = (value: string | null): value is string =>
  value !== null && parseMoney(value) !== null;
const isEvent = (value: unknown): value is GameEvent =>
  isFields(value) && typeof value["type"] === "string";

/** Reads a round as the site gives it, or as the shared examples in the source are written. */
function readRound(item: unknown): Found | null {
  if (!isFields(item)) return null;
  const seed = isFields(item["seed"]) ? item["seed"] : item;
  const game = text(item["gameCode"] ?? item["game"]);
  const [stake, clientSeed, nonce] = [text(item["stake"]), text(seed["clientSeed"]), item["nonce"]];
  if (game === null || clientSeed === null || !isAmount(stake)) return null;
  if (typeof nonce !== "number" || !Number.isSafeInteger(nonce) || nonce < 0) return null;
  const id = text(item["id"]);
  const serverSeed = text(seed["serverSeed"]);
  if (serverSeed === null) return { id, game, evidence: null };
  const commitment = text(seed["commitment"]);
  const most = text(item["most"]) ?? NO_LIMIT;
  const isGood = isSeed(serverSeed) && (commitment === null || isSeed(commitment));
  if (!isGood || !isAmount(most)) return null;
  const choice = item["choice"] ?? {};
  const actions = Array.isArray(item["actions"]) ? (item["actions"] as unknown[]) : [];
  const claim = claimIn(item);
  const draw = { serverSeed, commitment, clientSeed, nonce };
  return { id, game, evidence: { ...draw, game, choice, actions, stake, most, claim } };
}

function claimIn(item: Fields): Evidence["claim"] {
  const book = item["book"] ?? item["events"];
  if (!Array.isArray(book) || !book.every(isEvent)) return null;
  const isOpen = item["state"] === "open";
  return { events: book, payout: isOpen ? null : text(item["payout"]) };
}
