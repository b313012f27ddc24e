import type { Announcement } from "@/lib/api/types";
import type { Execution } from "./api";

/** Where it is kept that the announcements of this session were closed. */
export function closedKey(isLoggedIn: boolean): "USER_POPUP" | "ANONYMOUS_POPUP" {
  return isLoggedIn ? "USER_POPUP" : "ANONYMOUS_POPUP";
}

/** Which announcements are for whom: B before a log-in, A for members, F beside them at the first log-in. */
export function executionsOf(
  isLoggedIn: boolean,
  storage: Pick<Storage, "getItem">,
): readonly Execution[] {
  if (!isLoggedIn) return ["B"];
  return storage.getItem("firstLogin") === null ? ["A"] : ["F", "A"];
}

/** Whether it invites those who are new here to begin. */
export function isInvitation({
  execution,
  promotionType,
}: Pick<Announcement, "execution" | "promotionType">): boolean {
  return execution === "B" && promotionType === "NEWPLAYER";
}

/** Not the session's, which a log-out clears: whoever has been inside on this browser is not new here. */
const insideKey = "wasInside";

export function noteInside(): void {
  try {
    localStorage.setItem(insideKey, "1");
  } catch {
    // A browser may keep nothing: then newcomers are invited once more.
  }
}

/** What visitors are told: newcomers all of it, others what is no invitation. */
export function forVisitors<T extends Parameters<typeof isInvitation>[0]>(
  items: readonly T[],
): T[] {
  return items.filter((item) => !isInvitation(item) || localStorage.getItem(insideKey) === null);
}
