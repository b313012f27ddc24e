import { describe, expect, it } from "vitest";
import type { Translate } from "@/lib/i18n/i18n";
import type { Approval } from "./api";
import { effectText, leftText, sentenceOf, stateText } from "./sentence";

const t: Translate = (key, ...args) => [key, ...args].join("|");
const approval = (more: Partial<Approval>): Approval => ({
  id: "1",
  kind: "wallet.correct",
  subject: "member:0197c000-0000-7000-8000-00000000cafe",
  what: "{}",
  about: { way: "credit", member: { id: "2", username: "maria" }, amount: "12.5", currency: "PHP" },
  reason: "paid twice",
  askedBy: "cashier",
  askedAt: "2026-11-15T12:00:00Z",
  expiresAt: "2026-11-18T12:00:00Z",
  state: "open",
  isOwn: false,
  mayDecide: true,
  ...more,
});

describe("the sentence of a request", () => {
  it("names member, direction and money", () => {
    expect(sentenceOf(approval({}), t, "en")).toBe("approvals.credit|₱12.50|maria");
    const about = { way: "debit", amount: "3", currency: "FUN", member: null };
    expect(sentenceOf(approval({ about }), t, "en")).toBe("approvals.debit|3.00 FUN|…0000cafe");
  });
  it("is the kind's name where nothing is told, and as written where nobody knows it", () => {
    expect(sentenceOf(approval({ about: {} }), t, "en")).toBe("approvals.kind_correct");
    expect(sentenceOf(approval({ kind: "cashier.pay" }), t, "en")).toBe("cashier.pay");
    expect(stateText("odd", t)).toBe("odd");
  });
});

describe("leftText", () => {
  const now = new Date("2026-11-15T12:00:00Z");
  it("has two units at most", () => {
    expect(leftText("2026-11-18T11:59:00Z", now, t, "en")).toBe("approvals.time_left|2 days 23 hr");
    expect(leftText("2026-11-15T14:05:00Z", now, t, "en")).toBe("approvals.time_left|2 hr 5 min");
    expect(leftText("2026-11-15T12:00:30Z", now, t, "en")).toBe("approvals.time_left|0 min");
    expect(leftText("2026-11-15T11:00:00Z", now, t, "en")).toBeNull();
  });
});

describe("effectText", () => {
  it("says what will be done, what was done and when, or that nothing was", () => {
    const decidedAt = "2026-11-16T12:00:00Z";
    const about = { way: "debit", member: null, amount: "3", currency: "PHP" };
    expect(effectText(approval({}), t)).toMatch(/^approvals.credit_effect/);
    expect(effectText(approval({ about }), t)).toMatch(/^approvals.debit_effect/);
    expect(effectText(approval({ state: "done", decidedAt }), t)).toMatch(
      /^approvals.credit_was\|.*2026/,
    );
    expect(effectText(approval({ state: "done", about, decidedAt }), t)).toMatch(
      /^approvals.debit_was\|.*2026/,
    );
    for (const state of ["refused", "withdrawn", "expired"]) {
      expect(effectText(approval({ state }), t)).toMatch(/^approvals.no_effect/);
    }
  });
});
