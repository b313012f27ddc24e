import { readToken } from "@/lib/api/token";
import { openPopup } from "@/lib/popup/popup";
import type { Site } from "./enter";
import { leave } from "./leave";
import type { ForcedChange } from "./popups";

/** Where the log-in leads whose password must be changed first. The session ends with its storage, and this with it. */
const place = "mustChange";

/**
 * Asks for a new password before anything else. A reload asks again; the password, and whether the new one is to be
 * remembered, are forgotten by then.
 */
export function forceChange(site: Site, forced: ForcedChange): void {
  sessionStorage.setItem(place, forced.next);
  ask(site, forced);
}

/** Asks again, where the page was loaded anew instead. */
export function resumeForcedChange(site: Site): void {
  const next = sessionStorage.getItem(place);
  if (next === null || readToken() === null) return;
  ask(site, { next, held: undefined });
}

/** Whoever closes the popup without an answer leaves, even before there is anything in it to be answered. */
function ask(site: Site, forced: ForcedChange): void {
  const session = readToken();
  openPopup("changePassword", { forced }, () => {
    // A changed password goes with another token.
    if (readToken() === session) void leave(site);
  });
}

/** The password was changed, or somebody else has logged in. */
export function dropForcedChange(): void {
  sessionStorage.removeItem(place);
}
