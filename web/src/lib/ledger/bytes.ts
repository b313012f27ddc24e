import { fromHex, toHex, utf8 } from "@/lib/fair/bytes";
import { type Units, moneyText, parseMoney } from "@/lib/money/money";

export type Bytes = Uint8Array<ArrayBuffer>;

/** What was read is not written the one way in which the server writes it. */
export class FormError extends Error {}

/** SHA-256 of the parts, one after the other. */
export async function sha256(parts: readonly Uint8Array[]): Promise<string> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
}

/** A signed number of 64 bits, the highest byte first. */
export function i64(value: bigint): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, false);
  return bytes;
}

/** Something that may be absent: 0; or 1, its length in four bytes, and itself. */
export function optional(value: Uint8Array | null): Bytes {
  if (value === null) return new Uint8Array([0]);
  const bytes = new Uint8Array(5 + value.length);
  bytes[0] = 1;
  new DataView(bytes.buffer).setUint32(1, value.length, false);
  bytes.set(value, 5);
  return bytes;
}

export function text(value: string): Bytes {
  return optional(utf8(value));
}

/** Lower-case hexadecimal of exactly this many bytes. */
export function hexBytes(value: string, length: number): Bytes {
  const bytes = fromHex(value);
  if (bytes?.length !== length || value !== value.toLowerCase()) {
    throw new FormError(`not ${length} bytes in lower-case hexadecimal`);
  }
  return bytes;
}

/** The 16 bytes of an id like `0190…-…`. */
export function uuidBytes(value: string): Bytes {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) throw new FormError("not an id");
  return hexBytes(value.replaceAll("-", ""), 16);
}

/** An amount in ten-thousandths. There is one way to write it, so that two texts are two amounts. */
export function units(value: string): Units {
  const read = parseMoney(value);
  if (read === null || moneyText(read) !== value) throw new FormError("not an amount");
  return read;
}

/** Microseconds since 1970. `Date` keeps milliseconds only, so the fraction is read by itself. */
export function micros(value: string): bigint {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{3}|\d{6}))?Z$/.exec(value);
  const second = match?.[1] ?? "";
  const time = Date.parse(`${second}Z`);
  // Some browsers take the 31st of November for the 1st of December.
  if (Number.isNaN(time) || new Date(time).toISOString() !== `${second}.000Z`) {
    throw new FormError("not a time in UTC");
  }
  return BigInt(time) * 1000n + BigInt((match?.[2] ?? "").padEnd(6, "0"));
}
