import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { roundsQuery } from "@/features/fairness/rounds";
import { hasWon, isOpen } from "@/features/fairness/shown";
import type { Round } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { tellGame } from "@/lib/fair/names";
import { tellChoice } from "@/lib/fair/told/choice";
import { say } from "@/lib/fair/told/said";
import { summaryOf } from "@/lib/fair/told/summary";
import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { Money } from "@/ui/money";
import { Skeleton } from "@/ui/skeleton";

/** The member's last rounds, each with the way to its check. */
export function RoundList() {
  const t = useT();
  const rounds = useQuery(roundsQuery);
  return (
    <section aria-labelledby="rounds" className="grid gap-3">
      <h2 id="rounds" className="display text-xl">
        {t("rounds.title")}
      </h2>
      {rounds.isPending && <Skeleton className="h-40" />}
      {rounds.isError && <Failed onRetry={() => void rounds.refetch()} />}
      {rounds.data && <Rounds rounds={rounds.data.content} />}
    </section>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <p className="flex flex-wrap items-center gap-4 text-muted">
      {t("rounds.failed")}
      <Button size="sm" onClick={onRetry}>
        {t("game.retry")}
      </Button>
    </p>
  );
}

function Rounds({ rounds }: { rounds: readonly Round[] }) {
  const t = useT();
  if (rounds.length === 0) return <p className="text-muted">{t("rounds.empty")}</p>;
  return (
    <table className="w-full border-y border-line text-left text-sm">
      <thead className="text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-normal max-sm:hidden">{t("rounds.when")}</th>
          <th className="py-2 font-normal max-sm:hidden">{t("rounds.number")}</th>
          <th className="py-2 font-normal">{t("rounds.result")}</th>
          <th className="py-2 pl-3 text-right font-normal">{t("rounds.stake")}</th>
          <th className="py-2 pl-3 text-right font-normal">{t("rounds.payout")}</th>
          <th className="py-2 text-right font-normal">
            <span className="sr-only">{t("rounds.verify")}</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rounds.map((round) => (
          <RoundRow key={round.id} round={round} />
        ))}
      </tbody>
    </table>
  );
}

function RoundRow({ round }: { round: Round }) {
  const t = useT();
  const choice = tellChoice(round.gameCode, round.choice);
  const open = isOpen(round);
  const won = hasWon(round);
  const when = clockText(new Date(round.playedAt), getBoot().merchant.timeZone);
  return (
    <tr>
      <td className="figures py-2 font-medium text-muted max-sm:hidden">{when}</td>
      <td className="py-2 font-mono text-muted max-sm:hidden">{shortNumber(round.id)}</td>
      <td className="py-2">
        <span className={`flex flex-wrap items-center gap-x-2 ${won ? "text-win" : ""}`}>
          {!open && <Mark won={won} />}
          <strong className="font-semibold">{say(t, tellGame(round.gameCode))}</strong>
          <span>{say(t, summaryOf(round))}</span>
          {!open && <span className="sr-only">{t(won ? "rounds.won" : "rounds.lost")}</span>}
          {choice && <span className="text-muted">{say(t, choice)}</span>}
        </span>
        <span className="font-mono text-xs text-muted sm:hidden">{shortNumber(round.id)}</span>
      </td>
      <td className="py-2 pl-3 text-right">
        <Money value={round.stake} currency={round.currency} />
      </td>
      <td className="py-2 pl-3 text-right">
        {open ? (
          t("fair.still_open")
        ) : (
          <Money
            value={round.payout}
            currency={round.currency}
            className={won ? "text-win" : "text-muted"}
          />
        )}
      </td>
      <td className="text-right">
        <Link
          to="/verify/$roundId"
          params={{ roundId: round.id }}
          aria-label={t("rounds.check", when)}
          className="inline-flex min-h-11 items-center pl-3 font-semibold underline underline-offset-4"
        >
          {t("rounds.verify")}
        </Link>
      </td>
    </tr>
  );
}

/** Won points up and is filled, lost points down: colour is not the only sign. */
function Mark({ won }: { won: boolean }) {
  return (
    <svg viewBox="0 0 10 9" className="size-2.5 fill-current" aria-hidden="true">
      <path d={won ? "M5 0 10 9H0z" : "M0 0h10L5 9z"} />
    </svg>
  );
}
