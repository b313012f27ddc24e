import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import en from "@/locales/en/ledger.json";
import type { Transfer } from "@/lib/ledger/transfer";

import { dayText, tell } from "./model";
import { accountName, reasonCodes, reasonKey } from "./reasons";

const { statement } = JSON.parse(
  readFileSync(new URL("../../../../vectors/ledger.json", import.meta.url), "utf8"),
) as { statement: { content: Transfer[] } };

function row(change: Partial<Transfer>): Transfer {
  const [first] = statement.content;
  if (!first) throw new Error("an empty statement");
  return { ...first, ...change };
}

describe("what a member is told", () => {
  it("has a sentence of its own for each reason and way", () => {
    const keys = reasonCodes.flatMap((code) => [reasonKey(code, "in"), reasonKey(code, "out")]);
    expect(new Set(keys).size).toBe(2 * 25);
    const texts: Readonly<Record<string, string>> = en;
    expect(new Set(keys.map((key) => texts[key])).size).toBe(2 * 25);
  });

  it("knows every reason in the vectors", () => {
    for (const { kind } of statement.content) expect(reasonCodes).toContain(kind);
  });

  it("says what came and what went", () => {
    expect(tell(row({ debit: "main", credit: "house:games", kind: "stake" }))).toMatchObject({
      sentence: "ledger.stake_out",
      way: "out",
      account: "main",
    });
    expect(tell(row({ debit: "house:games", credit: "main", kind: "payout" }))).toMatchObject({
      sentence: "ledger.payout_in",
      way: "in",
    });
  });

  it("tells about the balance when both accounts are the member's", () => {
    const hold = row({ debit: "main", credit: "held", kind: "hold" });
    expect(tell({ ...hold, debitAfter: "5", creditAfter: "7" })).toMatchObject({
      sentence: "ledger.hold_out",
      account: "main",
      after: "5",
    });
    const paid = row({ debit: "bonus", credit: "main", kind: "bonus_paid" });
    expect(tell(paid)).toMatchObject({ sentence: "ledger.bonus_paid_in", account: "main" });
    const sent = row({ debit: "held", credit: "house:bank", kind: "withdrawal" });
    expect(tell(sent)).toMatchObject({ sentence: "ledger.withdrawal_out", account: "held" });
  });

  it("names the vendor and the entry that is undone", () => {
    const moved = row({ debit: "main", credit: "vendor:lucky", kind: "vendor_in" });
    expect(tell(moved)).toMatchObject({ sentence: "ledger.vendor_in_out", args: ["lucky"] });
    expect(tell(row({ kind: "reversal", reverses: 12 })).args).toEqual([12]);
  });

  it("shows an unknown reason by its code", () => {
    for (const kind of ["tip", "constructor"]) {
      expect(tell(row({ kind }))).toMatchObject({ sentence: "ledger.other_in", args: [kind] });
    }
  });

  it("leads to the round of a stake in one of our games only", () => {
    const stake = { debit: "main", kind: "stake", reference: "r" };
    expect(tell(row({ ...stake, credit: "house:games" })).roundId).toBe("r");
    expect(tell(row({ ...stake, credit: "house:demo-games" })).roundId).toBe("r");
    expect(tell(row({ ...stake, credit: "house:provider:lucky" })).roundId).toBeNull();
    expect(tell(row({ ...stake, kind: "send", credit: "house:games" })).roundId).toBeNull();
  });

  it("names accounts, those with a name of their own and those for play money", () => {
    expect(accountName("held")).toEqual({ key: "ledger.account_held", name: "", demo: false });
    expect(accountName("house:demo-games")).toMatchObject({
      key: "ledger.house_games",
      demo: true,
    });
    expect(accountName("vendor:lucky")).toMatchObject({ name: "lucky" });
    expect(accountName("house:provider:lucky")).toMatchObject({
      key: "ledger.house_provider",
      name: "lucky",
    });
    expect(accountName("house:cellar")).toMatchObject({
      key: "ledger.account_other",
      name: "cellar",
    });
  });

  it("writes a day as the site does", () => {
    expect(dayText("2026-11-14")).toBe("14/11/2026");
  });
});
