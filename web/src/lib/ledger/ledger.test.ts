import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { moneyUnits } from "@/lib/money/money";

import { micros } from "./bytes";
import { type InclusionProof, verifyInclusion } from "./inclusion";
import { START, balanceName, verifyStatement } from "./statement";
import { type Holder, type Transfer, hashOf } from "./transfer";

type Statement = Holder & { head: { seq: number; hash: string }; content: Transfer[] };
type Tree = { leaves: number; root: string; total: string; proofs: InclusionProof[] };

const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/ledger.json", import.meta.url), "utf8"),
) as { statement: Statement; trees: Tree[] };
const { statement, trees } = vectors;

/** The same small numbers in every run, so that a failure can be looked at again. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Rows whose hashes are right whatever they say: only what follows from the balances can be wrong. */
async function rehashed(rows: readonly Transfer[]): Promise<Transfer[]> {
  let previous = START.hash;
  const made: Transfer[] = [];
  for (const row of rows) {
    previous = await hashOf(row, statement, previous);
    made.push({ ...row, hash: previous });
  }
  return made;
}

const changed = (index: number, change: Partial<Transfer>) =>
  statement.content.map((row, at) => (at === index ? { ...row, ...change } : row));

describe("a statement", () => {
  it("is proven with its head and its balances", async () => {
    const verdict = await verifyStatement(statement.content, statement);
    expect(verdict.ok).toBe(true);
    expect(verdict.standing).toMatchObject(statement.head);
    expect(verdict.standing.balances.get(balanceName("main", "PHP"))).toBe(moneyUnits("350650"));
    expect(verdict.standing.balances.get(balanceName("points", "PTS"))).toBe(moneyUnits("12.5"));
    expect(verdict.standing.balances.get(balanceName("held", "PHP"))).toBe(0n);
    expect(verdict.standing.balances.get(balanceName("vendor:lucky", "PHP"))).toBe(100_000n);
  });

  it("can be checked in pieces", async () => {
    const first = await verifyStatement(statement.content.slice(0, 7), statement);
    const rest = await verifyStatement(statement.content.slice(7), statement, first.standing);
    expect(rest).toEqual(await verifyStatement(statement.content, statement));
    expect(first.standing.seq).toBe(7);
  });

  it("without rows stands at the start", async () => {
    expect(await verifyStatement([], statement)).toEqual({ ok: true, standing: START });
  });

  it("names the first row that is wrong", async () => {
    const { content } = statement;
    const offence = async (rows: readonly unknown[], holder: Holder = statement) => {
      const verdict = await verifyStatement(rows, holder);
      return verdict.ok ? null : verdict.offence;
    };
    expect(await offence(changed(4, { kind: "release" }))).toEqual({ seq: 5, what: "hash" });
    expect(await offence(content.toSpliced(3, 1))).toEqual({ seq: 4, what: "gap" });
    expect(await offence(content.toReversed())).toEqual({ seq: 1, what: "gap" });
    expect(await offence([...content.slice(0, 2), null])).toEqual({ seq: 3, what: "form" });
    expect(await offence(changed(1, { amount: "10.0" }))).toEqual({ seq: 2, what: "form" });
    const stranger = { ...statement, holderId: statement.merchantId };
    expect(await offence(content, stranger)).toEqual({ seq: 1, what: "hash" });
  });

  it("is refused where correct hashes cover wrong sums", async () => {
    const offence = async (index: number, change: Partial<Transfer>) => {
      const verdict = await verifyStatement(await rehashed(changed(index, change)), statement);
      return verdict.ok ? null : verdict.offence;
    };
    expect(await offence(0, {})).toBeNull();
    expect(await offence(1, { debitAfter: "991" })).toEqual({ seq: 2, what: "balance" });
    expect(await offence(1, { debitAfter: null })).toEqual({ seq: 2, what: "balance" });
    expect(await offence(1, { creditAfter: "10" })).toEqual({ seq: 2, what: "balance" });
    expect(await offence(11, { amount: "751", debitAfter: "-1" })).toEqual({
      seq: 12,
      what: "negative",
    });
    const toItself = { credit: "main", debitAfter: "990", creditAfter: "1010" };
    expect(await offence(1, toItself)).toEqual({ seq: 2, what: "balance" });
    expect(await offence(1, { credit: "someone" })).toEqual({ seq: 2, what: "account" });
    expect(await offence(1, { amount: "0", debitAfter: "1000" })).toEqual({ seq: 2, what: "form" });
  });

  it("shows each of 1,000 edits of one byte", async () => {
    const dump = Buffer.from(JSON.stringify(statement.content));
    const random = seeded(20_261_115);
    const original = JSON.stringify(statement.content);
    let edits = 0;
    while (edits < 1000) {
      const copy = Buffer.from(dump);
      const at = random(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 + random(255));
      const rows = parsed(copy.toString());
      // What is no JSON any more does not count: anybody would see that.
      if (rows === null || JSON.stringify(rows) === original) continue;
      edits += 1;
      const whole = await sameStatement(rows);
      expect(whole, `byte ${at}: ${copy.toString().slice(at - 20, at + 20)}`).toBe(false);
    }
  });
});

/** The rows in a dump; null when it is no longer a list. */
function parsed(dump: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(dump);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

async function sameStatement(rows: readonly unknown[]): Promise<boolean> {
  const { ok, standing } = await verifyStatement(rows, statement);
  return ok && standing.seq === statement.head.seq && standing.hash === statement.head.hash;
}

describe("a time", () => {
  it("is exact to the microsecond", () => {
    expect(micros("1970-01-01T00:00:00Z")).toBe(0n);
    expect(micros("2026-11-15T05:04:30.123Z")).toBe(1_794_719_070_123_000n);
    expect(micros("2026-11-15T05:04:30.123456Z")).toBe(1_794_719_070_123_456n);
  });

  it.each([
    "2026-11-15T05:04:30",
    "2026-11-15T05:04:30+00:00",
    "2026-11-31T05:04:30Z",
    "2026-11-15T24:00:00Z",
    "2026-11-15T05:04:60Z",
    "2026-11-15 05:04:30Z",
    "2026-11-15T05:04:30.1Z",
    "2026-11-15T05:04:30.1234567Z",
    "yesterday",
  ])("is not %s", (text) => {
    expect(() => micros(text)).toThrow("not a time");
  });
});

describe("a proof of inclusion", () => {
  const proofs = trees.flatMap((tree) => tree.proofs);

  it("holds for every member of every tree", async () => {
    expect(trees.map(({ leaves }) => leaves)).toEqual([0, 1, 2, 3, 5, 8]);
    for (const proof of proofs) {
      const inclusion = await verifyInclusion(proof);
      expect(inclusion.ok).toBe(true);
      expect(inclusion.nodes).toHaveLength(proof.steps.length + 1);
      expect(inclusion.nodes.at(-1)).toEqual({ hash: proof.root, sum: proof.total });
    }
  });

  it("has an agreed root for a tree without leaves", async () => {
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([2]));
    expect(trees[0]?.root).toBe(Buffer.from(digest).toString("hex"));
    expect(trees[0]?.total).toBe("0");
  });

  it("fails after 1,000 edits of one byte", async () => {
    const random = seeded(42);
    let edits = 0;
    while (edits < 1000) {
      const proof = proofs[random(proofs.length)];
      if (!proof) throw new Error("no proof");
      const { holderId, balance, salt, steps, root, total } = proof;
      const original = JSON.stringify({ holderId, balance, salt, steps, root, total });
      const copy = Buffer.from(original);
      const at = random(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 + random(255));
      const edited = readProof(copy.toString());
      if (edited === null || JSON.stringify(edited) === original) continue;
      edits += 1;
      const { ok } = await verifyInclusion({ ...proof, ...edited });
      expect(ok, copy.toString()).toBe(false);
    }
  });

  it("says what is wrong", async () => {
    const proof = proofs.at(-1);
    if (!proof) throw new Error("no proof");
    const what = async (change: Partial<InclusionProof>) => {
      const inclusion = await verifyInclusion({ ...proof, ...change });
      return inclusion.ok ? null : inclusion.what;
    };
    expect(await what({ balance: "1" })).toBe("root");
    expect(await what({ total: "1" })).toBe("total");
    expect(await what({ balance: "-1" })).toBe("form");
    expect(await what({ salt: "00" })).toBe("form");
    const step = { side: "left", hash: "00".repeat(32), sum: "922337203685477.5807" } as const;
    expect(await what({ steps: [step] })).toBe("form");
    expect(await what({ steps: [{ ...step, sum: "-1" }] })).toBe("form");
  });
});

type Hashed = Pick<InclusionProof, "holderId" | "balance" | "salt" | "steps" | "root" | "total">;

/** An edited proof; null when a part of it is gone. */
function readProof(text: string): Hashed | null {
  try {
    const value = JSON.parse(text) as Hashed;
    const parts = [value.holderId, value.balance, value.salt, value.steps, value.root, value.total];
    const whole = value.steps.flatMap(({ side, hash, sum }) => [side, hash, sum]);
    return [...parts, ...whole].includes(undefined as never) ? null : value;
  } catch {
    return null;
  }
}
