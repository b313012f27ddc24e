import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { WinnerEntry } from "@/lib/api/types";
import { useLang, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { agoText } from "@/lib/time";
import { Money } from "@/ui/money";
import { Skeleton } from "@/ui/skeleton";
import { winnersQuery } from "../api";

const shownRows = 10;

export function Winners() {
  const t = useT();
  return (
    <section aria-labelledby="winners" className="grid content-start">
      <h2 id="winners" className="display border-b border-line pb-4 text-xl">
        {t("home.winners")}
      </h2>
      <WinnersList />
    </section>
  );
}

function WinnersList() {
  const t = useT();
  const lang = useLang();
  const now = useNow();
  const { data, isError, refetch } = useQuery(winnersQuery(lang));
  if (isError) {
    return (
      <p className="py-5 text-sm text-muted">
        {t("home.winners_failed")}{" "}
        <button
          type="button"
          className="min-h-11 font-semibold text-ink underline underline-offset-4"
          onClick={() => void refetch()}
        >
          {t("fault.retry")}
        </button>
      </p>
    );
  }
  if (!data) return <WinnersSkeleton />;
  if (data.length === 0) return <NoWinners />;
  return (
    <ol className="winners">
      {data.slice(0, shownRows).map((entry) => (
        <Winner
          key={`${entry.at}${entry.customerName}${entry.winAmount}`}
          entry={entry}
          now={now}
        />
      ))}
    </ol>
  );
}

function Winner({ entry, now }: { entry: WinnerEntry; now: Date }) {
  const tag = useLanguageTag();
  return (
    <li className="winner flex items-center gap-3 border-b border-line py-3">
      <img
        src={`/art/${entry.gameCode}.svg`}
        alt=""
        width="36"
        height="48"
        loading="lazy"
        className="h-12 w-9 rounded-xs object-cover"
      />
      <span className="grid min-w-0 grow">
        <span className="truncate font-semibold">{entry.customerName}</span>
        <span className="truncate text-sm text-muted">{entry.gameName}</span>
      </span>
      <span className="grid shrink-0 text-right">
        <Money value={entry.winAmount} currency={entry.currency} className="text-lg text-win" />
        <span className="text-xs text-muted">{agoText(new Date(entry.at), now, tag)}</span>
      </span>
    </li>
  );
}

/** The time, renewed every half minute. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function WinnersSkeleton() {
  const t = useT();
  return (
    <div aria-busy="true">
      <span className="sr-only">{t("loading")}</span>
      {Array.from({ length: shownRows }, (_, index) => (
        <div key={index} className="flex h-[4.5625rem] items-center gap-3 border-b border-line">
          <Skeleton className="h-12 w-9" />
          <Skeleton className="h-5 w-28" />
          <Skeleton className="ml-auto h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

function NoWinners() {
  const t = useT();
  return (
    <div className="grid gap-4 py-5">
      <div className="lattice lattice-fade h-40 opacity-60" aria-hidden="true" />
      <p className="text-sm text-muted">{t("home.winners_none")}</p>
      <Link
        to="/play/$gameCode"
        params={{ gameCode: "dice" }}
        className="inline-flex min-h-11 items-center font-semibold text-accent-text underline underline-offset-4"
      >
        {t("home.winners_first")}
      </Link>
    </div>
  );
}
