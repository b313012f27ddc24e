import type { Key } from "@/lib/i18n/i18n";

/** The kinds of promotions, in the order of their tabs. */
export const promotionTypes = [
  "ALL",
  "NEWPLAYER",
  "DEPOSIT",
  "SLOTS",
  "LIVE",
  "SPORTS",
  "CARD",
  "FISH",
  "LOTTO",
  "REBATE",
  "POINTS",
  "RANK",
  "DOWNLOAD",
  "OTHER",
] as const;
export type PromotionType = (typeof promotionTypes)[number];

export const typeLabels: Readonly<Record<PromotionType, Key>> = {
  ALL: "promo.all",
  NEWPLAYER: "promo.new_player",
  DEPOSIT: "promo.deposit",
  SLOTS: "promo.slots",
  LIVE: "promo.live",
  SPORTS: "promo.sports",
  CARD: "promo.card",
  FISH: "promo.fish",
  LOTTO: "promo.lotto",
  REBATE: "promo.rebate",
  POINTS: "promo.points",
  RANK: "promo.rank",
  DOWNLOAD: "promo.download",
  OTHER: "promo.other",
};

/** The kind that a text names; a kind that only a newer server knows counts as another. */
export function typeOf(name: string): PromotionType {
  return promotionTypes.find((type) => type === name) ?? "OTHER";
}

export function ofType<T extends { type: string }>(cards: readonly T[], type: PromotionType): T[] {
  return cards.filter((card) => type === "ALL" || typeOf(card.type) === type);
}

/** The kind that the address asks for; all of them where it asks for none. */
export function typeInSearch(search: Record<string, unknown>): PromotionType {
  const { type } = search;
  return promotionTypes.find((known) => known === type) ?? "ALL";
}
