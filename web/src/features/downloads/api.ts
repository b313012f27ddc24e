import { queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import type { AppDownload } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";

/** The ways to have the site as an app. The key begins with "site": a change in the office reloads them. */
export const downloadsQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "downloads", lang] as const,
    queryFn: ({ signal }) =>
      call<AppDownload[]>("GET", `/wps/system/downloads?language=${lang}`, { signal }),
    staleTime: 300_000,
  });
