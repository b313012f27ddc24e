import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { errorText } from "@/lib/api/error-text";
import type { Round } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { rollText } from "@/lib/fair/dice";
import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { clockText } from "@/lib/time";
import { Icon } from "@/ui/icon";
import { Money } from "@/ui/money";
import { Skeleton } from "@/ui/skeleton";

import { roundsQuery } from "../rounds";

type RoundPickerProps = { chosen: string | undefined; className?: string };

/** The member's last rounds to choose from. */
export function RoundPicker({ chosen, className = "" }: RoundPickerProps) {
  const t = useT();
  const rounds = useQuery(roundsQuery);
  return (
    <section aria-labelledby="pick" className={`grid content-start gap-3 ${className}`}>
      <h2 id="pick" className="display text-xl">
        {t("fair.pick")}
      </h2>
      {rounds.isPending && <Skeleton className="h-60" />}
      {rounds.isError && <p role="alert">{errorText(rounds.error, t)}</p>}
      {rounds.data?.content.length === 0 && <p className="text-muted">{t("fair.not_played")}</p>}
      {rounds.data && rounds.data.content.length > 0 && (
        <ul
          className="grid max-h-112 divide-y divide-line overflow-y-auto border-y border-line"
          tabIndex={0}
          aria-label={t("fair.pick")}
        >
          {rounds.data.content.map((round) => (
            <PickRow key={round.id} round={round} chosen={round.id === chosen} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PickRow({ round, chosen }: { round: Round; chosen: boolean }) {
  const t = useT();
  const rolled = round.book.find((event) => event.type === "roll");
  return (
    <li>
      <Link
        to="/verify/$roundId"
        params={{ roundId: round.id }}
        aria-current={chosen ? "true" : undefined}
        className={`flex min-h-12 items-center gap-3 px-2 py-1.5 hover:bg-raised ${chosen ? "bg-raised" : ""}`}
      >
        <span className="figures w-14 text-lg">{rolled ? rollText(rolled.roll) : "–"}</span>
        <span className="grid grow text-sm">
          <span className="text-muted">
            {clockText(new Date(round.playedAt), getBoot().merchant.timeZone)}
          </span>
          <span className="flex flex-wrap items-center gap-x-1">
            <Money value={round.stake} currency={round.currency} />
            <Icon name="right" className="size-3.5 text-muted" />
            <Money value={round.payout} currency={round.currency} />
            <code className="ml-auto font-mono text-xs text-muted">{shortNumber(round.id)}</code>
          </span>
        </span>
        <Icon name={round.seed.serverSeed ? "verify" : "lock"} className="size-5 text-muted" />
        <span className="sr-only">
          {t(round.seed.serverSeed ? "fair.revealed" : "fair.secret")}
        </span>
      </Link>
    </li>
  );
}
