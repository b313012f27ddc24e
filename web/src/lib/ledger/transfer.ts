import { type Units, moneyUnits } from "@/lib/money/money";

import {
  FormError,
  hexBytes,
  i64,
  micros,
  optional,
  sha256,
  text,
  units,
  uuidBytes,
} from "./bytes";

/** A transfer as the server gives it to its member. */
export type Transfer = {
  seq: number;
  at: string;
  currency: string;
  debit: string;
  credit: string;
  amount: string;
  kind: string;
  key: string | null;
  bodyHash: string | null;
  reference: string;
  reverses: number | null;
  debitAfter: string | null;
  creditAfter: string | null;
  hash: string;
};

/** Whose transfers these are. Both ids are part of every hash. */
export type Holder = { holderId: string; merchantId: string };

/** The hash before the first transfer. */
export const START_HASH = "00".repeat(32);

const own = /^(?:main|held|bonus|points|vendor:[\w.-]+)$/;
const house = /^house:[\w.:-]+$/;

/** True for an account of the member: the record says what is on it after each transfer. */
export function isOwn(account: string): boolean {
  return own.test(account);
}

/** The house may open further accounts; what matters to the member is that it is not one of theirs. */
export function isHouse(account: string): boolean {
  return house.test(account);
}

/**
 * The hash that a transfer must carry: SHA-256 of the hash before it and of its own bytes. Written from
 * the published layout, not from the server's code, so that the two check each other.
 */
export function hashOf(row: Transfer, holder: Holder, previous: string): Promise<string> {
  return sha256([
    hexBytes(previous, 32),
    uuidBytes(holder.holderId),
    i64(BigInt(row.seq)),
    uuidBytes(holder.merchantId),
    text(row.currency),
    text(row.debit),
    text(row.credit),
    text(row.kind),
    i64(units(row.amount)),
    row.key === null ? optional(null) : text(row.key),
    optional(row.bodyHash === null ? null : hexBytes(row.bodyHash, 32)),
    uuidBytes(row.reference),
    balance(row.debitAfter),
    balance(row.creditAfter),
    i64(micros(row.at)),
    // Only a reversal has more: the records from before there were any keep their hashes.
    ...(row.reverses === null ? [] : [new Uint8Array([1]), i64(BigInt(row.reverses))]),
  ]);
}

function balance(after: string | null): Uint8Array {
  return optional(after === null ? null : i64(units(after)));
}

/** One side of a transfer: the account, what is on it afterwards, and by how much it changed. */
export type Side = { account: string; after: string | null; change: Units };

export function sidesOf(row: Transfer): readonly [Side, Side] {
  const amount = moneyUnits(row.amount);
  return [
    { account: row.debit, after: row.debitAfter, change: -amount },
    { account: row.credit, after: row.creditAfter, change: amount },
  ];
}

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isNumber = (value: unknown) => Number.isSafeInteger(value);

const shape: Readonly<Record<keyof Transfer, (value: unknown) => boolean>> = {
  seq: isNumber,
  at: isText,
  currency: isText,
  debit: isText,
  credit: isText,
  amount: isText,
  kind: isText,
  key: isTextOrNull,
  bodyHash: isTextOrNull,
  reference: isText,
  reverses: (value) => value === null || isNumber(value),
  debitAfter: isTextOrNull,
  creditAfter: isTextOrNull,
  hash: isText,
};

/** Anything that was read from a file or an answer, as a transfer; throws a `FormError` when it is none. */
export function asTransfer(value: unknown): Transfer {
  if (typeof value !== "object" || value === null) throw new FormError("not a transfer");
  const fields = value as Record<string, unknown>;
  for (const [name, fits] of Object.entries(shape)) {
    if (!fits(fields[name])) throw new FormError(`not a transfer: ${name}`);
  }
  return value as Transfer;
}
