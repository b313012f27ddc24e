import { describe, expect, it } from "vitest";

import { checkEvidence } from "@/lib/fair/check";
import { gameCodes } from "@/lib/fair/names";

import type { Round } from "@/lib/api/types";

import { roundText, roundsFile } from "./file";
import { isClientSeed, newClientSeed } from "./model";
import { type Typed, type TypedField, emptyForm, readTyped } from "./typed";

const typed: Typed = { ...emptyForm, serverSeed: "ab".repeat(32), clientSeed: "x" };
/** What the games need that begin without it. */
const filled: Typed = { ...typed, picks: "7, 8 9", tiles: "1 25", guesses: "hS l" };

function played(form: Typed): { choice: unknown; actions: readonly unknown[] } {
  const read = readTyped(form);
  if (!("evidence" in read)) throw new Error(`refused: ${read.wrong.join()}`);
  const { choice, actions } = read.evidence;
  return { choice, actions };
}

describe("form for other evidence", () => {
  it.each(gameCodes)("reads a round of %s that the rules can play", async (game) => {
    // A tile may hide a mine and a guess may be wrong: then nothing more can be done.
    const read = readTyped({ ...filled, game, tiles: "1", guesses: "h", stopped: false });
    if (!("evidence" in read)) throw new Error(`refused: ${read.wrong.join()}`);
    const check = await checkEvidence(read.evidence);
    expect(check.verdict).toBe("open");
    expect(check.replay?.events.length).toBeGreaterThan(0);
  });

  it("reads choices and actions as people write them", () => {
    const of = (game: Typed["game"], more: Partial<Typed> = {}) =>
      played({ ...filled, game, ...more });
    expect(of("dice").choice).toEqual({ target: 5000, direction: "under" });
    expect(of("limbo", { height: "1,5" }).choice).toEqual({ target: 150 });
    expect(of("mines")).toEqual({
      choice: { mines: 3 },
      actions: [{ pick: 0 }, { pick: 24 }, "cashOut"],
    });
    expect(of("mines", { tiles: " " }).actions).toEqual([]);
    expect(of("hilo").actions).toEqual(["higher", "skip", "lower", "cashOut"]);
    expect(of("hilo", { guesses: "s" }).actions).toEqual(["skip"]);
    expect(of("keno").choice).toEqual({ picks: [7, 8, 9] });
    expect(of("wheel").choice).toEqual({ segments: 50, risk: "medium" });
    expect(of("reef")).toEqual({ choice: {}, actions: [] });
  });

  it.each<[TypedField, Partial<Typed>]>([
    ["serverSeed", { serverSeed: "ab" }],
    ["commitment", { commitment: "zz" }],
    ["clientSeed", { clientSeed: "" }],
    ["nonce", { nonce: "-1" }],
    ["stake", { stake: "0.001" }],
    ["target", { target: "98.5" }],
    ["height", { game: "limbo", height: "1" }],
    ["mines", { game: "mines", mines: "25" }],
    ["tiles", { game: "mines", tiles: "1 1" }],
    ["tiles", { game: "mines", tiles: "0" }],
    ["guesses", { game: "hilo", guesses: "up" }],
    ["picks", { game: "keno", picks: "" }],
    ["picks", { game: "keno", picks: "1 2 3 4 5 6 7 8 9 10 11" }],
    ["picks", { game: "keno", picks: "41" }],
  ])("names a wrong %s", (field, change) => {
    expect(readTyped({ ...typed, ...change })).toEqual({ wrong: [field] });
  });

  it("proposes client seeds that the server takes", () => {
    expect(isClientSeed(newClientSeed())).toBe(true);
    expect([isClientSeed("é"), isClientSeed("a".repeat(65))]).toEqual([false, false]);
  });
});

describe("a file of rounds", () => {
  it("holds them without the balance", async () => {
    const round = { id: "r1", gameCode: "dice", balance: { amount: "7" } } as unknown as Round;
    expect(JSON.parse(roundText(round))).toEqual({ id: "r1", gameCode: "dice" });
    const text = await roundsFile([round, round]).text();
    expect(JSON.parse(text)).toEqual({
      rounds: [
        { id: "r1", gameCode: "dice" },
        { id: "r1", gameCode: "dice" },
      ],
    });
  });
});
