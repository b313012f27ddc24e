import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/lib/api/client";
import { pushed, winnersShown } from "@/lib/push/apply";
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
  });
