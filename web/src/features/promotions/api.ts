import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import type { PromotionCard, PromotionDetail } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";

const staleTime = 300_000;

// The keys begin with "site": a change in the office reloads what is shown.
/** All promotions; the page itself sorts them by kind, so that a tab opens at once. */
export const promotionsQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "promotions", lang] as const,
    queryFn: ({ signal }) =>
      call<PromotionCard[]>("GET", `/wps/promotions?type=ALL&language=${lang}`, { signal }),
    staleTime,
  });

export const promotionQuery = (slug: string, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "promotion", slug, lang] as const,
    queryFn: ({ signal }) => {
      const path = `/wps/promotions/${encodeURIComponent(slug)}?language=${lang}`;
      return call<PromotionDetail>("GET", path, { signal });
    },
    staleTime,
  });
