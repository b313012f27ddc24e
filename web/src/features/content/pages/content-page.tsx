import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { isApiError } from "@/lib/api/client";
import type { PageText } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useLang, useT } from "@/lib/i18n/i18n";
import { todayIn } from "@/lib/time";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { SafeHtml } from "@/ui/safe-html";
import { Skeleton } from "@/ui/skeleton";
import { type PageName, pageQuery } from "../api";

const pages = [
  { name: "terms", to: "/terms", label: "content.terms" },
  { name: "privacy", to: "/privacy", label: "content.privacy" },
  { name: "responsible", to: "/responsible", label: "content.responsible" },
  { name: "about", to: "/about", label: "content.about" },
] as const satisfies readonly { name: PageName; to: string; label: Key }[];

/** Privacy was once a part of the terms: links to it are still about. */
function useOldAddress(path: string, hash: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (path === "/terms" && hash === "privacy") void navigate({ to: "/privacy", replace: true });
  }, [path, hash, navigate]);
}

/** Terms, privacy, responsible gaming, about: what the house says of itself. */
export default function HousePage() {
  const t = useT();
  const lang = useLang();
  const { pathname, hash } = useLocation();
  useOldAddress(pathname, hash);
  const current = pages.find(({ to }) => to === pathname) ?? pages[0];
  const { data, error, refetch } = useQuery(pageQuery(current.name, lang));
  const missing = isApiError(error) && error.status === 404;
  return (
    <article className="grid grid-cols-1 gap-8">
      <header className="grid grid-cols-1 gap-4">
        <h1 className="display text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
          {data ? <span data-name>{data.title}</span> : t(current.label)}
        </h1>
        <nav
          aria-label={t("content.house")}
          className="flex flex-wrap gap-x-6 border-b border-line"
        >
          {pages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="house-link -mb-px inline-flex min-h-12 min-w-11 items-center border-b-2 border-transparent text-sm font-semibold text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {t(label)}
            </Link>
          ))}
        </nav>
      </header>
      {!data && !error && <TextSkeleton />}
      {missing && <EmptyState title={t("content.page_none")} text={t("content.page_none_text")} />}
      {error && !missing && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data && <Written page={data} />}
    </article>
  );
}

function Written({ page: { content, updatedAt } }: { page: PageText }) {
  const t = useT();
  const day = todayIn(getBoot().merchant.timeZone, new Date(updatedAt));
  return (
    <>
      <SafeHtml html={content} className="min-h-[60vh]" />
      <p className="text-sm text-muted">
        {t("content.updated")} <time dateTime={updatedAt}>{day}</time>
      </p>
    </>
  );
}

function TextSkeleton() {
  return (
    <div className="grid min-h-[60vh] max-w-[68ch] content-start gap-3" aria-busy="true">
      {Array.from({ length: 10 }, (_, line) => (
        <Skeleton key={line} className={line % 5 === 4 ? "mb-5 h-4 w-2/3" : "h-4"} />
      ))}
    </div>
  );
}
