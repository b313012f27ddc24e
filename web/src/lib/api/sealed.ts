import { type Method, api, call as send, unwrap } from "./client";
import { ApiError, isApiError } from "./error";
import type { SealKey } from "./types";

/** The calls whose body travels sealed: body and answer of each. A feature adds its own by declaration merging in its `api.ts`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the features fill it
export interface SealedCalls {}
export type SealedCall = keyof SealedCalls;

/** The server takes the previous day's key too, so an hour is well inside a key's life. */
const keyLife = 60 * 60 * 1000;

type HeldKey = { key: SealKey; fetchedAt: number; clockOffset: number };
let held: HeldKey | null = null;

async function fetchKey(): Promise<HeldKey> {
  const key = await unwrap(api.GET("/wps/system/key"));
  const now = Date.now();
  held = { key, fetchedAt: now, clockOffset: key.now - now };
  return held;
}

async function currentKey(): Promise<HeldKey> {
  const fresh = held !== null && Date.now() - held.fetchedAt < keyLife;
  return fresh && held ? held : fetchKey();
}

/** Forgets the key, so that the next call fetches one. */
export function dropSealKey(): void {
  held = null;
}

/** Sends a sealed call. A refused seal (key rotated, clock moved) is sealed anew once, with a new nonce. */
export async function sealedCall<K extends SealedCall>(
  call: K,
  body: SealedCalls[K][0],
): Promise<SealedCalls[K][1]> {
  try {
    return await sendSealed(call, body);
  } catch (error) {
    if (!isApiError(error, "seal.invalid")) throw error;
    dropSealKey();
    return sendSealed(call, body);
  }
}

async function sendSealed<K extends SealedCall>(
  call: K,
  body: SealedCalls[K][0],
): Promise<SealedCalls[K][1]> {
  // Browsers hand out their cryptography only on TLS and on the own machine.
  if (!globalThis.crypto?.subtle) throw new ApiError(0, "insecure", "This address is not secure");
  const [method, path] = call.split(" ") as [Method, string];
  const [{ sealBody }, { key, clockOffset }] = await Promise.all([
    import("@/lib/seal/seal"),
    currentKey(),
  ]);
  const sealed = await sealBody(key, method, path, body, Date.now() + clockOffset);
  return send(method, path, { body: sealed, type: "application/sealed+json" });
}
