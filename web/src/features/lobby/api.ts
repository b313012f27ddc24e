import { queryOptions } from "@tanstack/react-query";
import { api, call, unwrap } from "@/lib/api/client";
import type { Banner } from "@/lib/boot/boot";
import { pushed, winnersShown } from "@/lib/push/keys";
import { withCopy } from "@/lib/session-cache";
import type { Lang } from "@/lib/i18n/languages";

/** The winners board. Push prepends to it; the language only changes the names of the games. */
export const winnersQuery = (lang: Lang) =>
  queryOptions({
    queryKey: pushed.winners,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET("/lgw/games/winners", {
          params: { query: { gameCategory: "ALL", language: lang, limitNum: winnersShown } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    persister: withCopy,
  });

/** The banners of a group. A change in the office has them loaded again. */
export const bannersQuery = (group: string, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "banners", group, lang] as const,
    queryFn: ({ signal }) =>
      call<Banner[]>("GET", `/wps/banners?group=${group}&language=${lang}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
