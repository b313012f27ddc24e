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
