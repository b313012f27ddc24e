import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/lib/api/client";
import type { GameItem } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";
import { withCopy } from "@/lib/session-cache";

/** Which games a list shows. */
export type Wanted = {
  gameType?: string;
  vassalage?: string;
  gameClassify?: string;
  isNew?: number;
  search?: string;
  sort?: "popular" | "name" | "newest";
  pageSize?: number;
};

const web = { clientType: 3, platform: "flash,html5-desktop,html5-mobile" };

/** A list of games, page by page. */
export const gamesQuery = (wanted: Wanted, lang: Lang) =>
  infiniteQueryOptions({
    queryKey: ["games", "list", wanted, lang] as const,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/lgw/games", {
          params: { query: { ...web, ...wanted, language: lang, pageNo: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.pageNum < last.totalPages ? last.pageNum + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** The first games of a list, as the home page shows them. */
export const shortListQuery = (wanted: Wanted, lang: Lang) =>
  queryOptions({
    queryKey: ["games", "short", wanted, lang] as const,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/lgw/games", {
          params: { query: { ...web, ...wanted, language: lang, pageNo: 1 } },
          signal,
        }),
      ),
    staleTime: 60_000,
    persister: withCopy,
  });

// The keys begin with "wallet": what belongs to the member is forgotten together with the balance.
export const favoritesQuery = (lang: Lang) =>
  infiniteQueryOptions({
    queryKey: ["wallet", "favorites", "list", lang] as const,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/lgw/games/favorites", {
          params: { query: { language: lang, pageNo: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.pageNum < last.totalPages ? last.pageNum + 1 : undefined),
  });

export const favoriteIdsQuery = queryOptions({
  queryKey: ["wallet", "favorites", "ids"] as const,
  queryFn: async ({ signal }) => {
    const favorites = await unwrap(api.GET("/lgw/games/favorites/ids", { signal }));
    return favorites.map(({ nodeId }) => nodeId);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export const recentQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["wallet", "recent", lang] as const,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/lgw/games/recent", { params: { query: { language: lang } }, signal })),
  });

export function setFavorite(game: GameItem, on: boolean) {
  const { nodeId, vendor, gameType } = game;
  const favorite = { nodeId, vendor, gameType };
  return on
    ? unwrap(api.POST("/lgw/games/favorites", { body: favorite }))
    : unwrap(api.DELETE("/lgw/games/favorites", { params: { query: favorite } }));
}
