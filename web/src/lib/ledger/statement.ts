import type { Units } from "@/lib/money/money";

import { FormError, units } from "./bytes";
import {
  type Holder,
  START_HASH,
  type Side,
  type Transfer,
  asTransfer,
  hashOf,
  isHouse,
  isOwn,
  sidesOf,
} from "./transfer";

/** Where a record stands: its last number and hash, and what is on each account by then. */
export type Standing = { seq: number; hash: string; balances: ReadonlyMap<string, Units> };

/**
 * What is wrong with a row: it cannot be read (`form`), a number is missing before it (`gap`), its hash is
 * not that of its content (`hash`), a balance is not the one before plus the change (`balance`) or is below
 * zero (`negative`), or it names an account that is neither the member's nor the house's (`account`).
 */
export type Fault = "form" | "gap" | "hash" | "balance" | "negative" | "account";
export type Offence = { seq: number; what: Fault };

/** `standing` is what was proven: all of it, or up to the row before the offence. */
export type Verdict =
  | { ok: true; standing: Standing }
  | { ok: false; standing: Standing; offence: Offence };

export const START: Standing = { seq: 0, hash: START_HASH, balances: new Map() };

/** The name of an account's balance: one account may hold several currencies. */
export function balanceName(account: string, currency: string): string {
  return `${account} ${currency}`;
}

/** Checks rows, oldest first, from a standing on; stops at the first one that is wrong. */
export async function verifyStatement(
  rows: readonly unknown[],
  holder: Holder,
  start: Standing = START,
): Promise<Verdict> {
  const balances = new Map(start.balances);
  let { seq, hash } = start;
  for (const row of rows) {
    const what = await faultOf(row, holder, { seq: seq + 1, hash, balances });
    if (what)
      return { ok: false, standing: { seq, hash, balances }, offence: { seq: seq + 1, what } };
    ({ seq, hash } = row as Transfer);
  }
  return { ok: true, standing: { seq, hash, balances } };
}

type Next = { seq: number; hash: string; balances: Map<string, Units> };

async function faultOf(value: unknown, holder: Holder, next: Next): Promise<Fault | null> {
  try {
    const row = asTransfer(value);
    if (row.seq !== next.seq) return "gap";
    if ((await hashOf(row, holder, next.hash)) !== row.hash) return "hash";
    if (units(row.amount) <= 0n) return "form";
    const sides = sidesOf(row);
    return faultOfSides(sides, row.currency, next.balances);
  } catch (error) {
    if (error instanceof FormError) return "form";
    throw error;
  }
}

/** The balances are changed only when both sides are right. */
function faultOfSides(
  sides: readonly Side[],
  currency: string,
  balances: Map<string, Units>,
): Fault | null {
  const changed = new Map<string, Units>();
  for (const { account, after, change } of sides) {
    if (!isOwn(account) && !isHouse(account)) return "account";
    if (isOwn(account) !== (after !== null)) return "balance";
    if (after === null) continue;
    const name = balanceName(account, currency);
    if (units(after) < 0n) return "negative";
    // The other side comes first: a transfer from an account to itself must not make money.
    const before = changed.get(name) ?? balances.get(name) ?? 0n;
    if (units(after) !== before + change) return "balance";
    changed.set(name, units(after));
  }
  for (const [name, balance] of changed) balances.set(name, balance);
  return null;
}
