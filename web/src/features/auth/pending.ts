import type { EnterKind } from "./enter";

/** A log-in between its two steps. It outlives a reload, not the tab. */
export type Pending = { ticket: string; kind: EnterKind; next?: string };

const place = "twoFactor";

/** The password of the first step: whoever must change it is not asked for it again. In memory only, so a reload forgets it. */
let held: { ticket: string; password: string } | null = null;

export function keepPending(pending: Pending, password?: string): void {
  sessionStorage.setItem(place, JSON.stringify(pending));
  held = password === undefined ? null : { ticket: pending.ticket, password };
}

export function heldPassword({ ticket }: Pending): string | undefined {
  return held?.ticket === ticket ? held.password : undefined;
}

export function readPending(): Pending | null {
  return JSON.parse(sessionStorage.getItem(place) ?? "null") as Pending | null;
}

export function dropPending(): void {
  held = null;
  sessionStorage.removeItem(place);
}
