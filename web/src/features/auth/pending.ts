import type { EnterKind } from "./enter";

/** A log-in between its two steps. It outlives a reload, not the tab. */
export type Pending = { ticket: string; kind: EnterKind; next?: string };

const place = "twoFactor";

export function keepPending(pending: Pending): void {
  sessionStorage.setItem(place, JSON.stringify(pending));
}

export function readPending(): Pending | null {
  return JSON.parse(sessionStorage.getItem(place) ?? "null") as Pending | null;
}

export function dropPending(): void {
  sessionStorage.removeItem(place);
}
