import type { Balance, Launch } from "@/lib/api/types";

import { type Json, type JsonObject, plainJson, plainObject } from "./json";

/** What parent page and game frame say to each other. The frame never sees the token. */
export type Theme = "dark" | "light";
/** What the player chose before the round; every game has its own, and the server checks it. */
export type Choice = JsonObject;
/** What the player does in a round of several steps. */
export type Action = Json;

/** One thing that happened in a round. */
export type GameEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** What a frame needs of a round. */
export type GameRound = {
  id: string;
  gameCode: string;
  stake: string;
  payout: string;
  choice: Choice;
  actions: readonly Action[];
  book: readonly GameEvent[];
  state: "open" | "over";
  /** What stopping now pays, where that is possible. */
  cashOut: string | null;
  /** The jackpot, where the round won it; it is paid besides. */
  jackpot: string | null;
};

/** The window message that carries the port; everything else travels on the port. */
export const PORT_MESSAGE = "capiz.port";

export type InitMessage = {
  type: "init";
  game: string;
  /** BCP-47 tag, for `Intl` and the `lang` attribute. */
  lang: string;
  theme: Theme;
  currency: string;
  balance: Balance;
  limits: Launch["limits"];
  /** What the game pays back on average, in percent. */
  returnPercent: string;
  sound: boolean;
  /** Whether the site lets this player play by itself. */
  autoPlay: boolean;
  /** A round that was begun and not ended: it goes on. */
  openRound: GameRound | null;
  /** The pool that the game feeds, where it has one. */
  jackpot: string | null;
  messages: Readonly<Record<string, string>>;
};

export type ToFrame =
  | InitMessage
  | { type: "book"; requestId: string; round: GameRound }
  | { type: "refused"; requestId: string; code: string; text: string }
  /** The round stands elsewhere than the frame believes; null when none is open. */
  | { type: "resume"; round: GameRound | null }
  /** A round of earlier is to be shown once more: nothing is staked. */
  | { type: "replay"; round: GameRound }
  | { type: "balance"; balance: Balance }
  | { type: "jackpot"; amount: string }
  | { type: "theme"; theme: Theme }
  | { type: "sound"; on: boolean };

export type FromFrame =
  | { type: "ready" }
  | { type: "round.start"; requestId: string; stake: string; choice: Choice }
  | { type: "round.act"; requestId: string; roundId: string; step: number; action: Action }
  | { type: "round.shown"; requestId: string }
  /** How tall the game wants to be, in CSS pixels. */
  | { type: "size"; height: number };

type Loose = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}

function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 64;
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

const MOST_STEPS = 1000;
const MOST_HEIGHT = 4000;

/** A message of the frame when it has a known shape; the parent trusts nothing else about it. */
export function readFromFrame(data: unknown): FromFrame | null {
  if (!isObject(data)) return null;
  const { type, requestId, height } = data;
  switch (type) {
    case "ready":
      return { type };
    case "round.start":
      return readStart(data);
    case "round.act":
      return readAct(data);
    case "round.shown":
      return isShortText(requestId) ? { type, requestId } : null;
    case "size":
      return isCount(height, MOST_HEIGHT) ? { type, height } : null;
    default:
      return null;
  }
}

function readStart({ requestId, stake, choice }: Loose): FromFrame | null {
  const chosen = plainObject(choice);
  if (!isShortText(requestId) || !isShortText(stake) || !chosen) return null;
  return { type: "round.start", requestId, stake, choice: chosen };
}

function readAct({ requestId, roundId, step, action }: Loose): FromFrame | null {
  const done = plainJson(action);
  if (!isShortText(requestId) || !isShortText(roundId)) return null;
  if (!isCount(step, MOST_STEPS) || done === undefined) return null;
  return { type: "round.act", requestId, roundId, step, action: done };
}

/** True for the window message that hands over the port. */
export function isPortMessage(data: unknown): boolean {
  return isObject(data) && data["type"] === PORT_MESSAGE;
}

const toFrameTypes = new Set([
  "init",
  "book",
  "refused",
  "resume",
  "replay",
  "balance",
  "jackpot",
  "theme",
  "sound",
]);

/** A message of the parent. It comes from our own page, so only its type is checked. */
export function readToFrame(data: unknown): ToFrame | null {
  return isObject(data) && toFrameTypes.has(String(data["type"])) ? (data as ToFrame) : null;
}
