import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import type { Round } from "@/lib/api/types";
import { commitmentOf } from "@/lib/fair/stream";

import {
  type Typed,
  checkEvidence,
  evidenceOf,
  isClientSeed,
  newClientSeed,
  readTyped,
} from "./model";

type Case = {
  serverSeed: string;
  clientSeed: string;
  nonce: number;
  stake: string;
  target: number;
  direction: "under" | "over";
  roll: number;
  won: boolean;
  payout: string;
};
const [, known] = JSON.parse(
  readFileSync(new URL("../../../../vectors/dice.json", import.meta.url), "utf8"),
) as [Case, Case];

async function round(
  change: { roll?: number; payout?: string; serverSeed?: string | null } = {},
): Promise<Round> {
  const { serverSeed, clientSeed, nonce, stake, target, direction, won } = known;
  const roll = change.roll ?? known.roll;
  return {
    id: "r1",
    gameCode: "dice",
    currency: "PHP",
    stake,
    payout: change.payout ?? known.payout,
    choice: { target, direction },
    book: [
      { type: "roll", roll, target, direction, won },
      { type: "payout", amount: known.payout, multiplier: "0" },
    ],
    seed: {
      id: "s1",
      commitment: await commitmentOf(serverSeed),
      clientSeed,
      serverSeed: change.serverSeed === undefined ? serverSeed : change.serverSeed,
    },
    nonce,
    playedAt: "2026-11-15T00:00:00Z",
    balance: null,
  } as Round;
}

async function verdict(change: Parameters<typeof round>[0]): Promise<string> {
  const evidence = evidenceOf(await round(change));
  if (!evidence) throw new Error("no evidence");
  return (await checkEvidence(evidence)).verdict;
}

describe("check of a round", () => {
  it("agrees with an honest round", async () => {
    expect(await verdict({})).toBe("good");
  });

  it("finds a changed roll, a changed payout and a swapped seed", async () => {
    expect(await verdict({ roll: (known.roll + 1) % 10_000 })).toBe("bad");
    expect(await verdict({ payout: "123456" })).toBe("bad");
    expect(await verdict({ serverSeed: "11".repeat(32) })).toBe("bad");
  });

  it("has no evidence while the seed is secret", async () => {
    expect(evidenceOf(await round({ serverSeed: null }))).toBeNull();
  });
});

const typed: Typed = {
  serverSeed: "ab".repeat(32),
  commitment: "",
  clientSeed: "x",
  nonce: "0",
  target: "50",
  direction: "under",
  stake: "10",
};

describe("form for other evidence", () => {
  it("reads good fields and leaves the question open", async () => {
    const read = readTyped(typed);
    if (!("evidence" in read)) throw new Error("refused");
    expect(read.evidence.choice.target).toBe(5000);
    expect((await checkEvidence(read.evidence)).verdict).toBe("open");
  });

  it.each([
    ["serverSeed", "ab"],
    ["commitment", "zz"],
    ["clientSeed", ""],
    ["nonce", "-1"],
    ["target", "98.5"],
    ["stake", "0.001"],
  ] as const)("names a wrong %s", (field, value) => {
    expect(readTyped({ ...typed, [field]: value })).toEqual({ wrong: [field] });
  });

  it("proposes client seeds that the server takes", () => {
    expect(isClientSeed(newClientSeed())).toBe(true);
    expect([isClientSeed("é"), isClientSeed("a".repeat(65))]).toEqual([false, false]);
  });
});
