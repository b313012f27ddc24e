// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Balance, TransferPage } from "@/lib/api/types";
import type { InclusionProof } from "@/lib/ledger/inclusion";
import type { Transfer } from "@/lib/ledger/transfer";

import { joinedAfter, judgeProof } from "./counted";
import { checkRecord, judgeRecord, keptHead, loadRecord, recordFile } from "./record";

const file = path.resolve(import.meta.dirname, "../../../../vectors/ledger.json");
const vectors = JSON.parse(readFileSync(file, "utf8")) as {
  statement: Omit<TransferPage, "next">;
  trees: { proofs: InclusionProof[] }[];
};
const record = vectors.statement;
const shown: Balance = { currency: "PHP", balance: "350650", version: 16 };
const quiet = () => undefined;

/** A server that gives three rows at a time. */
function serving(rows: readonly Transfer[], head = record.head) {
  return vi.fn(async (after: number): Promise<TransferPage> => {
    const content = rows.filter(({ seq }) => seq > after).slice(0, 3);
    return { ...record, head, content, next: content.at(-1)?.seq ?? null };
  });
}

beforeEach(() => localStorage.clear());

describe("loading a record", () => {
  it("asks for one piece after the other and says how far it is", async () => {
    const load = serving(record.content);
    const progress = vi.fn();
    expect(await loadRecord(load, progress)).toEqual(record);
    expect(load.mock.calls.map(([after]) => after)).toEqual([0, 3, 6, 9, 12, 15]);
    expect(progress.mock.calls.at(0)).toEqual([3, 16]);
    expect(progress.mock.calls.at(-1)).toEqual([16, 16]);
  });

  it("ends when a server gives nothing, or the same again", async () => {
    const none = serving([], { seq: 5, hash: "00" });
    expect((await loadRecord(none, quiet)).content).toEqual([]);
    const same = vi.fn(async () => ({ ...record, content: record.content.slice(0, 3), next: 3 }));
    expect((await loadRecord(same, quiet)).content).toHaveLength(6);
  });

  it("makes a file that holds all of it", async () => {
    expect(JSON.parse(await recordFile(record).text())).toEqual(record);
  });
});

describe("judging a record", () => {
  it("proves a whole one, also against an earlier check", async () => {
    const good = { kind: "good", head: record.head, balance: shown };
    expect(await judgeRecord(record, shown, null)).toEqual({ ...good, keptUpTo: null });
    const kept = { seq: 4, hash: record.content[3]?.hash ?? "" };
    expect(await judgeRecord(record, shown, kept)).toEqual({ ...good, keptUpTo: 4 });
  });

  it("proves one to which something was added after the head was read", async () => {
    const head = { seq: 15, hash: record.content[14]?.hash ?? "" };
    expect(await judgeRecord({ ...record, head }, shown, null)).toMatchObject({ kind: "good" });
  });

  it("has nothing to say about an empty one", async () => {
    const head = { seq: 0, hash: "00".repeat(32) };
    const none = { ...shown, balance: "0" };
    expect(await judgeRecord({ ...record, head, content: [] }, none, null)).toEqual({
      kind: "empty",
    });
  });

  it("names what is wrong", async () => {
    const judge = (change: Partial<typeof record>, kept: typeof record.head | null = null) =>
      judgeRecord({ ...record, ...change }, shown, kept);
    expect(await judge({ content: record.content.slice(0, 9) })).toEqual({
      kind: "bad",
      seq: 10,
      what: "gap",
    });
    const edited = record.content.map((row) => (row.seq === 7 ? { ...row, kind: "fee" } : row));
    expect(await judge({ content: edited })).toEqual({ kind: "bad", seq: 7, what: "hash" });
    const head = { seq: 16, hash: "11".repeat(32) };
    expect(await judge({ head })).toEqual({ kind: "bad", seq: 16, what: "head" });
    for (const seq of [3, 17]) {
      const kept = { seq, hash: "11".repeat(32) };
      expect(await judge({}, kept)).toEqual({ kind: "bad", seq, what: "kept" });
    }
    const less = { ...shown, balance: "350649" };
    expect(await judgeRecord(record, less, null)).toEqual({
      kind: "shown",
      computed: "350650",
      shown: less,
    });
  });
});

describe("checking a record", () => {
  it("remembers what was proven and compares the next time", async () => {
    const check = () => checkRecord(serving(record.content), async () => shown, quiet);
    expect(await check()).toMatchObject({ kind: "good", keptUpTo: null });
    expect(keptHead(record.holderId)).toEqual(record.head);
    expect(await check()).toMatchObject({ kind: "good", keptUpTo: 16 });
    localStorage.setItem(`record:${record.holderId}`, `16 ${"22".repeat(32)}`);
    expect(await check()).toEqual({ kind: "bad", seq: 16, what: "kept" });
  });

  it("looks again when money moved between the two answers", async () => {
    const load = serving(record.content);
    const loadBalance = vi.fn(async () => shown);
    loadBalance.mockResolvedValueOnce({ ...shown, balance: "350649" });
    const found = await checkRecord(load, loadBalance, quiet);
    expect(found).toMatchObject({ kind: "good" });
  });

  it("believes a difference that stays", async () => {
    const loadBalance = vi.fn(async () => ({ ...shown, balance: "1" }));
    const found = await checkRecord(serving(record.content), loadBalance, quiet);
    expect(found).toMatchObject({ kind: "shown" });
    expect(loadBalance).toHaveBeenCalledTimes(3);
    expect(keptHead(record.holderId)).toBeNull();
  });
});

describe("being counted", () => {
  const proof = vectors.trees.at(-1)?.proofs[2];
  if (!proof) throw new Error("no proof");
  const { day, currency, root, total, leaves, holderId } = proof;
  const published = { day, currency, root, total, leaves, madeAt: "2026-11-15T00:00:05Z" };

  it("holds for the member against the published root", async () => {
    expect(await judgeProof(proof, published, holderId)).toMatchObject({ ok: true });
  });

  it("fails against another root, total or day, for another member and after an edit", async () => {
    const what = async (change: Partial<typeof published>, holder = holderId) => {
      const counted = await judgeProof(proof, { ...published, ...change }, holder);
      return counted.ok ? null : counted.what;
    };
    expect(await what({ root: "00".repeat(32) })).toBe("public");
    expect(await what({ total: "1" })).toBe("public");
    expect(await what({ day: "2026-11-13" })).toBe("public");
    expect(await what({}, "somebody")).toBe("holder");
    const edited = { ...proof, balance: "5" };
    expect(await judgeProof(edited, published, holderId)).toMatchObject({ what: "root" });
  });

  it("is owed to those only who were members when it was made", () => {
    const joined = (registeredAt: string) => joinedAfter({ registeredAt }, published);
    expect(joined("2026-11-15T09:00:00Z")).toBe(true);
    expect(joined("2026-11-15T00:00:04Z")).toBe(true);
    expect(joined("2026-11-14T23:00:00Z")).toBe(false);
  });
});
