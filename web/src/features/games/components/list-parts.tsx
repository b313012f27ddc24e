import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";

type ListHeadProps = { title: string; count?: number | undefined; children?: ReactNode };

/** The head of a page of games, with the ways to those that are one's own. */
export function ListHead({ title, count, children }: ListHeadProps) {
  const t = useT();
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
      <h1 className="display flex items-baseline gap-3 text-3xl">
        {title}
        {count !== undefined && (
          <span className="figures text-xl text-muted" aria-label={t("cat.count", count)}>
            {count}
          </span>
        )}
      </h1>
      <nav aria-label={t("cat.own")} className="flex gap-x-5">
        <OwnLink to="/search">{t("cat.search_page")}</OwnLink>
        <OwnLink to="/favorites">{t("cat.favorites")}</OwnLink>
        <OwnLink to="/recent">{t("cat.recent")}</OwnLink>
      </nav>
      {children}
    </header>
  );
}

type OwnLinkProps = { to: "/search" | "/favorites" | "/recent"; children: ReactNode };

function OwnLink({ to, children }: OwnLinkProps) {
  return (
    <Link
      to={to}
      className="own-link inline-flex min-h-11 min-w-11 items-center justify-center text-sm font-semibold text-muted underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}

export function ListFailed({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>{t("cat.failed")}</p>
      <Button onClick={onRetry}>{t("fault.retry")}</Button>
    </div>
  );
}
