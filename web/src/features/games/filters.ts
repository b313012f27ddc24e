import type { Wanted } from "./api";

/** The labels that games are filtered by. */
export const labels = ["JP", "SC", "VP", "TG", "AC", "BG"] as const;
export type Label = (typeof labels)[number];
export const sorts = ["popular", "name", "newest"] as const;
export type Sort = (typeof sorts)[number];

/** What the address says about a list. */
export type Filters = { q: string; vassalage: string; label: Label | ""; sort: Sort };

const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 64) : "";

/** Reads what an address says; whatever makes no sense counts for nothing. */
export function readFilters(search: Readonly<Record<string, unknown>>): Filters {
  return {
    q: text(search["q"]),
    vassalage: text(search["vassalage"]),
    label: labels.find((label) => label === search["label"]) ?? "",
    sort: sorts.find((sort) => sort === search["sort"]) ?? "popular",
  };
}

/** The other way round: an address has only what differs from the usual. */
export function writeFilters(filters: Filters): Record<string, string> {
  const { q, vassalage, label, sort } = filters;
  return {
    ...(q && { q }),
    ...(vassalage && { vassalage }),
    ...(label && { label }),
    ...(sort !== "popular" && { sort }),
  };
}

/** What the server is asked for. */
export function wantedOf(gameType: string | undefined, filters: Filters): Wanted {
  const { q, vassalage, label, sort } = filters;
  return {
    ...(gameType && { gameType }),
    ...(vassalage && { vassalage }),
    ...(label && { gameClassify: label }),
    ...(q.trim() && { search: q.trim() }),
    ...(sort !== "popular" && { sort }),
  };
}
