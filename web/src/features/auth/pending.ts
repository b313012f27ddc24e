import { useSyncExternalStore } from "react";
import { onTokenChange } from "@/lib/api/token";
import type { EnterKind, FirstStep } from "./enter";

/** A log-in between its two steps. It outlives a reload, not the tab. */
export type Pending = { ticket: string; kind: EnterKind; next?: string };

const place = "twoFactor";
const listeners = new Set<() => void>();

/** How long the server takes the second step. */
const ticketLife = 5 * 60_000;

/** What the first step leaves to the second. In memory only, so a reload forgets it; no longer than it is of use. */
let held: { ticket: string; step: FirstStep; end: ReturnType<typeof setTimeout> } | null = null;

function forget(): void {
  clearTimeout(held?.end);
  held = null;
}

onTokenChange((token) => {
  if (token === null) forget();
});

function tell(): void {
  for (const listener of listeners) listener();
}

export function keepPending(pending: Pending, step: FirstStep = {}): void {
  sessionStorage.setItem(place, JSON.stringify(pending));
  forget();
  held = { ticket: pending.ticket, step, end: setTimeout(forget, ticketLife) };
  tell();
}

/** What was typed in the first step of this log-in, and of no other. */
export function firstStepOf({ ticket }: Pending): FirstStep {
  return held?.ticket === ticket ? held.step : {};
}

const read = () => sessionStorage.getItem(place);

function pendingIn(text: string | null): Pending | null {
  return JSON.parse(text ?? "null") as Pending | null;
}

export function readPending(): Pending | null {
  return pendingIn(read());
}

/** Ends the log-in of a ticket, unless another has begun since; without a ticket, whichever is under way. */
export function dropPending(ticket?: string): void {
  if (ticket !== undefined && ticket !== readPending()?.ticket) return;
  forget();
  sessionStorage.removeItem(place);
  tell();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The log-in that is under way: another one may begin in the header while its page is shown. */
export function usePending(): Pending | null {
  return pendingIn(useSyncExternalStore(listen, read));
}
