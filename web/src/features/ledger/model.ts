import type { Key } from "@/lib/i18n/i18n";
import { type Transfer, isOwn, sidesOf } from "@/lib/ledger/transfer";

import { reasonKey } from "./reasons";

/** A transfer as its member is told about it. */
export type Told = {
  /** Why it happened, with what fills the places of the sentence. */
  sentence: Key;
  args: readonly (string | number)[];
  /** The account that it is told about, whether money came or went, and what is there now. */
  account: string;
  way: "in" | "out";
  after: string | null;
  /** The round that it belongs to, if there is one to check. */
  roundId: string | null;
};

/** Of two accounts of the member the balance is told about: that is the one that everybody watches. */
export function tell(row: Transfer): Told {
  const [debit, credit] = sidesOf(row);
  const own = [debit, credit].filter(({ account }) => isOwn(account));
  const side = own.find(({ account }) => account === "main") ?? own[0] ?? credit;
  const way = side === debit ? "out" : "in";
  return {
    sentence: reasonKey(row.kind, way),
    args: argsOf(row),
    account: side.account,
    way,
    after: side.after,
    roundId: roundOf(row),
  };
}

function argsOf(row: Transfer): readonly (string | number)[] {
  if (row.kind === "reversal") return [row.reverses ?? "?"];
  const vendor = [row.debit, row.credit].find((account) => account.startsWith("vendor:"));
  return [vendor?.slice("vendor:".length) ?? row.kind];
}

/** Only the house's own games can be checked here. */
function roundOf(row: Transfer): string | null {
  const played = row.kind === "stake" || row.kind === "payout";
  const ours = [row.debit, row.credit].some((account) => /^house:(demo-)?games$/.test(account));
  return played && ours ? row.reference : null;
}

/** A day as the site writes it: `2026-11-14` → `14/11/2026`. */
export function dayText(day: string): string {
  return day.split("-").toReversed().join("/");
}
