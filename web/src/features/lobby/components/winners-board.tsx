import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { WinnerEntry } from "@/lib/api/types";
import { useLang, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { agoText } from "@/lib/time";
import { Money } from "@/ui/money";
import { winnersQuery } from "../api";
import { useHiddenTab, useLessMotion } from "../motion";
import { useHalt } from "../use-halt";
import { boardRows, keyOf, useRolling } from "../use-rolling";
import { PauseButton } from "./pause-button";

/** The latest real wins. A new one comes in at the top as soon as it is won. */
export default function WinnersBoard({ skeleton }: { skeleton: ReactNode }) {
  const lang = useLang();
  const { data, isError, refetch } = useQuery(winnersQuery(lang));
  if (isError && !data) return <Failed onRetry={() => void refetch()} />;
  if (!data) return skeleton;
  if (data.length === 0) return <NoWinners />;
  return <Rolling winners={data} />;
}

function Rolling({ winners }: { winners: readonly WinnerEntry[] }) {
  const t = useT();
  const less = useLessMotion();
  const hidden = useHiddenTab();
  const now = useNow();
  const [paused, setPaused] = useState(false);
  const { halted, handlers } = useHalt();
  const { list, rolls } = useRolling(winners, less, paused || halted || hidden);
  return (
    <>
      {rolls && (
        <PauseButton
          paused={paused}
          label={t(paused ? "home.winners_go" : "home.winners_pause")}
          onToggle={() => setPaused(!paused)}
          className="absolute -top-2 right-0 text-muted hover:text-ink"
        />
      )}
      <div className="winners-board" {...handlers}>
        <ol ref={list} className="winners" data-rolls={rolls || undefined}>
          {(rolls ? winners : winners.slice(0, boardRows)).map((entry) => (
            <Winner key={keyOf(entry)} entry={entry} now={now} />
          ))}
        </ol>
      </div>
    </>
  );
}

function Winner({ entry, now }: { entry: WinnerEntry; now: Date }) {
  const tag = useLanguageTag();
  return (
    <li className="winner flex h-[4.5625rem] items-center gap-3 border-b border-line">
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

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <div className="winners-board">
      <p className="py-5 text-sm text-muted">
        {t("home.winners_failed")}{" "}
        <button
          type="button"
          className="min-h-11 font-semibold text-ink underline underline-offset-4"
          onClick={onRetry}
        >
          {t("fault.retry")}
        </button>
      </p>
    </div>
  );
}

function NoWinners() {
  const t = useT();
  return (
    <div className="winners-board grid content-start gap-4 py-5">
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
