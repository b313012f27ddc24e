import { fromHex } from "@/lib/fair/bytes";
import type { Evidence } from "@/lib/fair/check";
import { type Direction, isAllowed } from "@/lib/fair/dice";
import { NUMBERS } from "@/lib/fair/games/keno";
import { TILES } from "@/lib/fair/games/mines";
import type { Risk } from "@/lib/fair/games/plinko";
import type { GameCode } from "@/lib/fair/names";
import { PAYABLE, parseMoney } from "@/lib/money/money";

import { isClientSeed } from "./model";

/** The form for evidence from elsewhere: all text, as typed. */
export type Typed = {
  game: GameCode;
  serverSeed: string;
  commitment: string;
  clientSeed: string;
  nonce: string;
  stake: string;
  direction: Direction;
  target: string;
  height: string;
  mines: string;
  tiles: string;
  guesses: string;
  stopped: boolean;
  rows: string;
  segments: string;
  risk: Risk;
  picks: string;
};

/** Fields that can be wrong. */
export type TypedField =
  | "serverSeed"
  | "commitment"
  | "clientSeed"
  | "nonce"
  | "stake"
  | "target"
  | "height"
  | "mines"
  | "tiles"
  | "guesses"
  | "picks";

export const emptyForm: Typed = {
  game: "dice",
  serverSeed: "",
  commitment: "",
  clientSeed: "",
  nonce: "0",
  stake: "10",
  direction: "under",
  target: "50.00",
  height: "2.00",
  mines: "3",
  tiles: "",
  guesses: "",
  stopped: true,
  rows: "16",
  segments: "50",
  risk: "medium",
  picks: "",
};

type Played = { choice: unknown; actions: unknown[] };
type Read = Played | TypedField;

const played = (choice: unknown, actions: unknown[] = []): Played => ({ choice, actions });

/** What each game takes besides seeds and stake. Games that are not named take nothing. */
const readers: Partial<Record<GameCode, (typed: Typed) => Read>> = {
  dice: ({ target, direction }) => {
    const hundredths = readHundredths(target);
    if (hundredths === null || !isAllowed({ target: hundredths, direction })) return "target";
    return played({ target: hundredths, direction });
  },
  limbo: ({ height }) => {
    const target = readHundredths(height);
    return target !== null && target >= 101 && target <= 1_000_000 ? played({ target }) : "height";
  },
  mines: ({ mines, tiles, stopped }) => {
    const [count] = readNumbers(mines, TILES - 1) ?? [];
    if (count === undefined) return "mines";
    const turned = tiles.trim() === "" ? [] : readNumbers(tiles, TILES);
    if (!turned) return "tiles";
    return played(
      { mines: count },
      ended(
        turned.map((tile) => ({ pick: tile - 1 })),
        stopped,
      ),
    );
  },
  plinko: ({ rows, risk }) => played({ rows: Number(rows), risk }),
  hilo: ({ guesses, stopped }) => {
    const done = readGuesses(guesses);
    return done
      ? played({}, ended(done, stopped && done.some((one) => one !== "skip")))
      : "guesses";
  },
  wheel: ({ segments, risk }) => played({ segments: Number(segments), risk }),
  keno: ({ picks }) => {
    const numbers = readNumbers(picks, NUMBERS);
    return numbers && numbers.length <= 10 ? played({ picks: numbers }) : "picks";
  },
};

const ended = (actions: unknown[], stopped: boolean): unknown[] =>
  stopped && actions.length > 0 ? [...actions, "cashOut"] : actions;

/** Reads the form; fields that cannot be right are named. */
export function readTyped(typed: Typed): { evidence: Evidence } | { wrong: TypedField[] } {
  const stake = parseMoney(typed.stake.trim());
  const serverSeed = typed.serverSeed.trim().toLowerCase();
  const commitment = typed.commitment.trim().toLowerCase();
  const nonce = /^\d{1,15}$/.test(typed.nonce.trim()) ? Number(typed.nonce) : null;
  const read = readers[typed.game]?.(typed) ?? played({});
  const wrong: TypedField[] = [];
  if (fromHex(serverSeed)?.length !== 32) wrong.push("serverSeed");
  if (commitment !== "" && fromHex(commitment)?.length !== 32) wrong.push("commitment");
  if (!isClientSeed(typed.clientSeed)) wrong.push("clientSeed");
  if (nonce === null) wrong.push("nonce");
  if (stake === null || stake <= 0n || stake % PAYABLE !== 0n) wrong.push("stake");
  if (typeof read === "string") wrong.push(read);
  if (wrong.length > 0 || nonce === null || typeof read === "string") return { wrong };
  return {
    evidence: {
      game: typed.game,
      serverSeed,
      commitment: commitment === "" ? null : commitment,
      clientSeed: typed.clientSeed,
      nonce,
      ...read,
      stake: typed.stake.trim(),
      most: NO_LIMIT,
      claim: null,
    },
  };
}

/** Who types a round in has no limit of the house at hand; it matters to rounds of several steps alone. */
const NO_LIMIT = "922337203685477.5807";

/** Numbers with two decimals, in hundredths. */
function readHundredths(text: string): number | null {
  const match = /^(\d{1,5})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** Different numbers from 1 to `most`, however they are separated. */
function readNumbers(text: string, most: number): number[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  const numbers = words.map((word) => (/^\d{1,3}$/.test(word) ? Number(word) : 0));
  const isGood = numbers.every((number) => number >= 1 && number <= most);
  const isDistinct = new Set(numbers).size === numbers.length;
  return numbers.length > 0 && isGood && isDistinct ? numbers : null;
}

const GUESSES: Readonly<Record<string, string>> = { h: "higher", l: "lower", s: "skip" };

/** Guesses as letters: H, L and S, in order. */
function readGuesses(text: string): string[] | null {
  const letters = [...text.toLowerCase().replace(/[\s,;]+/g, "")];
  const guesses = letters.flatMap((letter) => GUESSES[letter] ?? []);
  return guesses.length === letters.length ? guesses : null;
}
