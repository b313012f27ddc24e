import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import type { Announcement, HelpSection, NoticePage, PageText } from "@/lib/api/types";
import type { Lang } from "@/lib/i18n/languages";

export type Execution = "A" | "F" | "B";

export type PageName = "terms" | "privacy" | "responsible" | "about";

export const noticesPerPage = 9;
/** Content changes seldom, and a change is pushed. */
const staleTime = 300_000;

// The keys begin with "site": a change in the office reloads what is shown.
export const noticesQuery = (page: number, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "notices", page, lang] as const,
    queryFn: ({ signal }) =>
      call<NoticePage>(
        "GET",
        `/wps/notices?pageNo=${page}&pageSize=${noticesPerPage}&language=${lang}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime,
  });

/** The public announcements. */
export const headlinesQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "headlines", lang] as const,
    queryFn: async ({ signal }) => {
      const path = `/wps/announcements?types=H&platform=W&language=${lang}`;
      return (await call<{ headlines: Announcement[] }>("GET", path, { signal })).headlines;
    },
    staleTime,
  });

/** The announcements that come by themselves. */
export const popupsQuery = (execution: Execution, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "popups", execution, lang] as const,
    queryFn: async ({ signal }) => {
      const path = `/wps/announcements?types=PU&platform=W&execution=${execution}&language=${lang}`;
      return (await call<{ popups: Announcement[] }>("GET", path, { signal })).popups;
    },
    staleTime,
  });

export const helpQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "help", lang] as const,
    queryFn: ({ signal }) =>
      call<HelpSection[]>("GET", `/wps/system/helpCenter?lang=${lang}&device=WEB`, { signal }),
    staleTime,
  });

export const pageQuery = (name: PageName, lang: Lang) =>
  queryOptions({
    queryKey: ["site", "content", "page", name, lang] as const,
    queryFn: ({ signal }) =>
      call<PageText>("GET", `/wps/pages/${name}?language=${lang}`, { signal }),
    staleTime,
  });
