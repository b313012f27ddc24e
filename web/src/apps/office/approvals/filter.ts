import type { Search } from "../address";
import type { ApprovalsQuery } from "./api";
import { kinds, states } from "./sentence";

/** Rows of a page. */
export const pageSize = 50;

/** Which requests are looked for; it stands in the address. Open ones unless it says otherwise. */
export type Filter = { state: string; kind: string; by: string };

export function readFilter({ state, kind = "", by = "" }: Search): Filter {
  const isKnown = state === "all" || states.some((one) => one === state);
  return {
    state: isKnown && state ? state : "open",
    kind: kinds.includes(kind) ? kind : "",
    by: by === "me" || by === "others" ? by : "",
  };
}

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The address as a question to the server. What makes no sense is left out. */
export function queryOf(search: Search): ApprovalsQuery {
  const { state, kind, by } = readFilter(search);
  const before = search["before"] ?? "";
  return {
    limit: pageSize,
    ...(state !== "all" && { state }),
    ...(kind && { kind }),
    ...(by && { by }),
    ...(idShape.test(before) && { before }),
  };
}
