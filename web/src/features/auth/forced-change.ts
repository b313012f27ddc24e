import { readToken } from "@/lib/api/token";
import { openPopup } from "@/lib/popup/popup";
import type { ForcedChange } from "./popups";

/** Where the log-in leads whose password must be changed first. The session ends with its storage, and this with it. */
const place = "mustChange";

/** Asks for a new password before anything else. A reload asks again; only the password is forgotten by then. */
export function forceChange(forced: ForcedChange): void {
  sessionStorage.setItem(place, forced.next);
  openPopup("changePassword", { forced });
}

/** Asks again, where the page was loaded anew instead. */
export function resumeForcedChange(): void {
  const next = sessionStorage.getItem(place);
  if (next === null || readToken() === null) return;
  openPopup("changePassword", { forced: { next, held: undefined } });
}

/** The password was changed, or somebody else has logged in. */
export function dropForcedChange(): void {
  sessionStorage.removeItem(place);
}
