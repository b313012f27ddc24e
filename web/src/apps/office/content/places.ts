import type { Translate } from "@/lib/i18n/i18n";
import type { Lang } from "@/lib/i18n/languages";
import type { ContentRow } from "./api";
import { titleOf } from "./draft";
import { type KindId, kinds } from "./kinds";

/** Where a piece of a kind can stand, in words. */
export type Place = { value: string; label: string };

/** What articles call a section by: its name, or its number where it has none. */
export const sectionName = ({ slot, id }: Pick<ContentRow, "slot" | "id">) => slot || id;

/** The places of a kind. Articles stand in sections, which are content themselves. */
export function placesOf(
  kind: KindId,
  sections: readonly ContentRow[],
  lang: Lang,
  t: Translate,
): Place[] {
  if (kind === "help_article") {
    return sections.map((row) => ({ value: sectionName(row), label: titleOf(row, lang) }));
  }
  const types = kinds[kind].data.find(({ name }) => name === "type")?.choices ?? [];
  const choices = kinds[kind].slots.length > 0 ? kinds[kind].slots : types;
  return choices.map(({ value, label }) => ({ value, label: t(label) }));
}

/** Where a piece stands. */
export function placeOf(kind: KindId, { slot, data }: Pick<ContentRow, "slot" | "data">): string {
  if (kind === "help_article") return String(data["section"] ?? "");
  return kinds[kind].slots.length > 0 ? slot : String(data["type"] ?? "");
}

export function placeText(kind: KindId, row: ContentRow, places: readonly Place[]): string {
  const place = placeOf(kind, row);
  return places.find(({ value }) => value === place)?.label ?? place;
}

/** The rows of one place, or of all: those of a place together, each in its order. */
export function shownRows(
  rows: readonly ContentRow[],
  kind: KindId,
  asked: string | undefined,
  places: readonly Place[],
): ContentRow[] {
  const isKnown = places.some(({ value }) => value === asked);
  const fitting = rows.filter((row) => !isKnown || placeOf(kind, row) === asked);
  // Promotions and announcements of all types stand in one list.
  if (!isGrouped(kind)) return fitting;
  const rank = (row: ContentRow) => places.findIndex(({ value }) => value === placeOf(kind, row));
  return fitting.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether two pieces stand in one order. Each section of the help center has a slot of its own, and all are one list. */
const isBeside = (kind: KindId, a: ContentRow, b: ContentRow) =>
  kind === "help_section" || a.slot === b.slot;

/** Whether each place has an order of its own. */
function isGrouped(kind: KindId): boolean {
  return kind === "help_article" || kinds[kind].slots.length > 0;
}

/**
 * The ids of a slot in the order after one of them has gone past its neighbour; null where it has none on that side. The
 * neighbour is the next of those that are shown and have an order together.
 */
export function moved(
  all: readonly ContentRow[],
  shown: readonly ContentRow[],
  row: ContentRow,
  kind: KindId,
  step: -1 | 1,
): string[] | null {
  const isNear = (other: ContentRow) =>
    isBeside(kind, other, row) && (!isGrouped(kind) || placeOf(kind, other) === placeOf(kind, row));
  const near = shown.filter(isNear);
  const neighbour = near[near.findIndex(({ id }) => id === row.id) + step];
  if (!neighbour) return null;
  const ids = all.filter((other) => isBeside(kind, other, row)).map(({ id }) => id);
  const others = ids.filter((id) => id !== row.id);
  const at = others.indexOf(neighbour.id) + (step === 1 ? 1 : 0);
  return others.toSpliced(at, 0, row.id);
}

/** The slots of which a kind has none yet. */
export function freeSlots(kind: KindId, rows: readonly ContentRow[]) {
  return kinds[kind].slots.filter(({ value }) => !rows.some(({ slot }) => slot === value));
}
