import { isSwitchedOn } from "@/lib/boot/boot";
import { loadPart } from "@/lib/lazy";
import type { Credentials, Kept, KeptNumber } from "./remember";
import { type Part, lastKept, readCookie } from "./remember-cookies";
import type { Way } from "./ways";

/**
 * How forms remember: what seals and opens is loaded when there is something to seal or open. Each form keeps its own
 * part and leaves the other's alone; who takes a tick away has both deleted.
 */
const vault = () => loadPart(() => import("./remember"));

/** Whether the merchant lets browsers remember anything. */
export function mayRemember(): boolean {
  return isSwitchedOn("REMEMBERPASS3");
}

/** Whether a form has kept something. What the merchant no longer allows is deleted. */
async function isKept(part: Part): Promise<boolean> {
  if (readCookie(part) === null) return false;
  if (!mayRemember()) await forget();
  return mayRemember();
}

/** The way by which somebody was remembered last. */
export function rememberedWay(): Way | undefined {
  const last = mayRemember() ? lastKept() : null;
  return last ? ({ login: "username", number: "mobile" } as const)[last] : undefined;
}

export async function recallLogin(): Promise<Credentials | null> {
  return (await isKept("login")) ? (await vault()).recallLogin() : null;
}

export async function recallNumber(): Promise<KeptNumber | null> {
  return (await isKept("number")) ? (await vault()).recallNumber() : null;
}

const listeners = new Set<() => void>();

/** Calls back when everything is forgotten. Returns how to stop that. */
export function onForget(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function forget(): Promise<void> {
  for (const listener of listeners) listener();
  await (await vault()).forget();
}

/** A form without its tick: everything is deleted, unless it never had one and so has kept nothing. */
export async function forgetUnticked(part: Part): Promise<void> {
  if (readCookie(part) !== null) await forget();
}

/** Keeps what somebody came in with. That it could not be kept is no reason to complain. */
export async function remember(kept: Kept): Promise<void> {
  await vault()
    .then(({ keep }) => keep(kept))
    .catch(() => undefined);
}
