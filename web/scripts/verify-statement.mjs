// Checks a downloaded account record without the site: Node 20 or later, no packages, no network.
//
//   node verify-statement.mjs record.json [earlier.json]
//
// With an earlier download it also checks that its entries are still the same. Ends with 0 when the record
// holds, 1 when it does not, 2 when there is nothing that could be checked. The bytes that are hashed are
// described in docs/fairness.md; this file is written from there and shares no code with the site.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const START = "00".repeat(32);
const LIMIT = 2n ** 63n;

/** Something is not written the one way in which the site writes it. */
class FormError extends Error {}

/** Something can be read, but is not true. */
class FaultError extends Error {}

function matched(value, pattern, what) {
  if (typeof value !== "string" || !pattern.test(value))
    throw new FormError(`${what} cannot be read`);
  return value;
}

function whole(value, what) {
  if (!Number.isSafeInteger(value)) throw new FormError(`${what} is no whole number`);
  return BigInt(value);
}

const hash = (value, what) => Buffer.from(matched(value, /^[0-9a-f]{64}$/, what), "hex");

const uuid = (value, what) =>
  Buffer.from(
    matched(value, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, what).replaceAll("-", ""),
    "hex",
  );

function i64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

/** Ten-thousandths. There is one way to write an amount, so that two texts are two amounts. */
function units(value, what) {
  const text = matched(value, /^-?(?:0|[1-9]\d*)(?:\.\d{0,3}[1-9])?$/, what);
  const [before, after = ""] = text.split(".");
  const found = BigInt(before + after.padEnd(4, "0"));
  const isZeroBelow = text.startsWith("-") && found === 0n;
  if (isZeroBelow || found >= LIMIT || found < -LIMIT) throw new FormError(`${what} is no amount`);
  return found;
}

/** Microseconds since 1970: `Date` keeps milliseconds only, so the fraction is read by itself. */
function micros(value, what) {
  const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3}|\d{6}))?Z$/;
  const [, second, fraction = ""] = form.exec(matched(value, form, what));
  const time = Date.parse(`${second}Z`);
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${second}.000Z`) {
    throw new FormError(`${what} is no time`);
  }
  return BigInt(time) * 1000n + BigInt(fraction.padEnd(6, "0"));
}

/** The byte 0; or the byte 1, the length in four bytes, and the value. */
function optional(bytes) {
  if (bytes === null) return Buffer.from([0]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function text(value, what) {
  if (typeof value !== "string" || !value.isWellFormed()) throw new FormError(`${what} is no text`);
  return optional(Buffer.from(value));
}

/** `read` for what is there; `null` stays absent, and a field that is missing altogether is an error. */
const orNull = (value, read) => (value === null ? null : read(value));

/** The hash that an entry must carry. */
function hashOf(row, holder, previous) {
  const parts = [
    previous,
    uuid(holder.holderId, "the holder"),
    i64(whole(row.seq, "seq")),
    uuid(holder.merchantId, "the merchant"),
    text(row.currency, "currency"),
    text(row.debit, "debit"),
    text(row.credit, "credit"),
    text(row.kind, "kind"),
    i64(units(row.amount, "amount")),
    orNull(row.key, (key) => text(key, "key")) ?? optional(null),
    optional(orNull(row.bodyHash, (value) => hash(value, "bodyHash"))),
    uuid(row.reference, "reference"),
    optional(orNull(row.debitAfter, (value) => i64(units(value, "debitAfter")))),
    optional(orNull(row.creditAfter, (value) => i64(units(value, "creditAfter")))),
    i64(micros(row.at, "at")),
  ];
  // An entry that undoes none ends here.
  if (row.reverses !== null) parts.push(Buffer.from([1]), i64(whole(row.reverses, "reverses")));
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

const own = /^(?:main|held|bonus|points|vendor:[\w.-]+)$/;
const house = /^house:[\w.:-]+$/;

/** One side of an entry: the balance afterwards must be the one before plus the change. */
function book(balances, account, currency, after, change) {
  if (!own.test(account) && !house.test(account)) {
    throw new FaultError(`${account} is an account of neither the member nor the house`);
  }
  if (own.test(account) !== (after !== null)) {
    throw new FaultError(
      `the balance of ${account} is stated where it must not be, or is not where it must`,
    );
  }
  if (after === null) return;
  const name = `${account} ${currency}`;
  const found = units(after, "a balance");
  if (found < 0n) throw new FaultError(`${name} is below zero`);
  if (found !== (balances.get(name) ?? 0n) + change) {
    throw new FaultError(`the balance of ${name} does not follow from the one before`);
  }
  balances.set(name, found);
}

function checkRow(row, holder, { seq, previous, balances }) {
  if (typeof row !== "object" || row === null) throw new FormError("it is no entry");
  if (row.seq !== seq) throw new FaultError("it is missing, or stands in the wrong place");
  const found = hashOf(row, holder, previous);
  if (found.toString("hex") !== row.hash) {
    throw new FaultError("its hash does not fit what it says and the entry before");
  }
  const amount = units(row.amount, "amount");
  if (amount <= 0n) throw new FaultError("its amount is not above zero");
  book(balances, row.debit, row.currency, row.debitAfter, -amount);
  book(balances, row.credit, row.currency, row.creditAfter, amount);
  return found;
}

/** Whether there is anything to check in what was read from a file. */
export function isRecord(file) {
  return typeof file === "object" && file !== null && Array.isArray(file.content);
}

/**
 * Checks a record as it was downloaded. `problem` is null when it holds, or says what is wrong first; `seq` is
 * then the entry that it is about, and null when it is about the end of the record.
 */
export function verifyStatement(file) {
  const balances = new Map();
  let previous = Buffer.from(START, "hex");
  let seq = 0;
  try {
    for (const row of file.content) {
      seq += 1;
      previous = checkRow(row, file, { seq, previous, balances });
    }
  } catch (error) {
    if (error instanceof FormError || error instanceof FaultError)
      return { problem: error.message, seq };
    throw error;
  }
  const end = { seq, hash: previous.toString("hex") };
  if (file.head?.seq !== end.seq || file.head?.hash !== end.hash) {
    return { problem: "the record does not end with the stated number and hash", seq: null };
  }
  return { problem: null, head: end, balances };
}

/** Whether an earlier record of the same account is the beginning of this one; null when it is. */
export function compareStatements(file, earlier) {
  const { problem } = verifyStatement(earlier);
  if (problem) return `the earlier file does not hold: ${problem}`;
  if (earlier.holderId !== file.holderId || earlier.merchantId !== file.merchantId) {
    return "the earlier file belongs to another account";
  }
  const then = earlier.head;
  if (then.seq > 0 && file.content[then.seq - 1]?.hash !== then.hash) {
    const first = earlier.content.findIndex((row, at) => file.content[at]?.hash !== row.hash);
    return `entry ${first + 1} is not the one of the earlier file: the record was rewritten`;
  }
  return null;
}

function amountText(value) {
  const digits = String(value).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, "");
}

/** What the program says about the contents of one file or two, and the code that it ends with. */
export function report(file, earlier) {
  const { problem, seq, head, balances } = verifyStatement(file);
  if (problem)
    return { code: 1, text: `DOES NOT HOLD${seq ? ` at entry ${seq}` : ""}: ${problem}.` };
  const changed = earlier === undefined ? null : compareStatements(file, earlier);
  if (changed) return { code: 1, text: `DOES NOT HOLD: ${changed}.` };
  const lines = [`HOLDS: ${head.seq} entries, each with the hash of the one before.`];
  if (earlier !== undefined)
    lines.push(`The first ${earlier.head.seq} are those of the earlier file.`);
  lines.push(`Last hash: ${head.hash}`);
  for (const [name, value] of balances) lines.push(`Balance of ${name}: ${amountText(value)}`);
  return { code: 0, text: lines.join("\n") };
}

async function main(names) {
  if (names.length < 1 || names.length > 2) {
    console.error("usage: node verify-statement.mjs record.json [earlier.json]");
    return 2;
  }
  const files = [];
  for (const name of names) {
    try {
      files.push(JSON.parse(await readFile(name, "utf8")));
      if (!isRecord(files.at(-1))) throw new Error("this is no account record");
    } catch (error) {
      console.error(`${name}: ${error.message}`);
      return 2;
    }
  }
  const { code, text: said } = report(...files);
  console.log(said);
  return code;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.slice(2));
}
