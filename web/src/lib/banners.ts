import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import type { Banner } from "@/lib/boot/boot";
import type { Lang } from "@/lib/i18n/languages";

export type BannerGroup = "w_home" | "w_login" | "w_register" | "w_forgot" | "w_video";

/** The banners of one place. The key begins with "site": a change in the office reloads them. */
export const bannersQuery = (group: BannerGroup, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "banners", group, lang] as const,
    queryFn: ({ signal }) =>
      call<Banner[]>("GET", `/wps/banners?group=${group}&language=${lang}`, { signal }),
    staleTime: 300_000,
  });
