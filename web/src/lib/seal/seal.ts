/** The server's sealing key as `/wps/system/key` gives it. */
export type SealingKey = { kid: string; publicKey: string };

/** A sealed request body, sent as `application/sealed+json`. */
export type SealedBody = { kid: string; enc: string; ct: string; at: number; nonce: string };

/**
 * Encrypts a request body so that only the server can read it, bound to method, path, key, time and
 * a nonce that the server takes once. The cipher is loaded on first use: most visits seal nothing.
 */
export async function sealBody(
  key: SealingKey,
  method: string,
  path: string,
  body: unknown,
  now: number,
): Promise<SealedBody> {
  const { sealBytes } = await import("./hpke");
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const at = Math.trunc(now);
  const aad = sealAad(method, path, key.kid, at, nonce);
  const plain = new TextEncoder().encode(JSON.stringify(body));
  const { enc, ct } = await sealBytes(fromBase64Url(key.publicKey), plain, aad);
  return { kid: key.kid, enc: toBase64Url(enc), ct: toBase64Url(ct), at, nonce };
}

/** The data that is not secret but must not be changed. The query is no part of the path. */
export function sealAad(
  method: string,
  path: string,
  kid: string,
  at: number,
  nonce: string,
): Uint8Array<ArrayBuffer> {
  const [bare] = path.split("?", 1);
  return new TextEncoder().encode([method.toUpperCase(), bare, kid, at, nonce].join("\n"));
}

/** Bytes as base64url text without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Base64url text as bytes; throws when it is none. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}
