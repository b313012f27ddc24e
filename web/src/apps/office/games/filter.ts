import type { Search } from "../address";
import type { GamesQuery } from "./api";

/** Rows of a page. */
export const pageSize = 50;

/** What games are looked for, as the address has it. */
export const filterNames = ["q", "merchant", "vassalage", "state"] as const;

export function readGames(search: Search): Record<(typeof filterNames)[number], string> {
  const { q = "", merchant = "", vassalage = "", state = "" } = search;
  return { q, merchant, vassalage, state };
}

/** What the server is asked for; a merchant is always named where one is known. */
export function gamesOf(search: Search): GamesQuery {
  const { q, merchant, vassalage, state } = readGames(search);
  const page = Number(search["page"]);
  const isUuid = /^[0-9a-f-]{36}$/.test(merchant);
  return {
    pageSize,
    pageNo: Number.isSafeInteger(page) && page > 0 && page <= 10_000 ? page : 1,
    ...(q.trim() && { search: q.trim().slice(0, 64) }),
    ...(isUuid && { merchantId: merchant }),
    ...(vassalage && { vassalage }),
    ...(state === "maintenance" && { maintenance: true }),
    ...(state === "hidden" && isUuid && { visible: false }),
  };
}
