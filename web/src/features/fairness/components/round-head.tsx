import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";

import type { Round } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { tellGame } from "@/lib/fair/names";
import { tellActions, tellChoice } from "@/lib/fair/told/choice";
import { say } from "@/lib/fair/told/said";
import { summaryOf } from "@/lib/fair/told/summary";
import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { clockText } from "@/lib/time";
import { Button, buttonClass } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { Icon } from "@/ui/icon";
import { Money } from "@/ui/money";

import { roundText } from "../file";
import { hasWon, isOpen } from "../shown";

/** Which round is judged: what was bet, what came of it, and the numbers to find it again. */
export function RoundHead({ round }: { round: Round }) {
  const t = useT();
  const choice = tellChoice(round.gameCode, round.choice);
  const actions = tellActions(round.actions);
  const time = clockText(new Date(round.playedAt), getBoot().merchant.timeZone);
  const tone = hasWon(round) ? "text-win" : "";
  return (
    <section aria-labelledby="round" className="grid gap-3">
      <h2 id="round" className="display text-xl">
        {t("fair.round_of", say(t, tellGame(round.gameCode)), time)}
      </h2>
      <dl className="leaf-lg grid grid-cols-2 gap-x-6 gap-y-3 border border-line bg-surface p-5 sm:grid-cols-4">
        <Fact label={t("fair.outcome")} wide>
          <span className={`text-lg font-semibold ${tone}`}>{say(t, summaryOf(round))}</span>
        </Fact>
        {choice && (
          <Fact label={t("fair.bet")} wide>
            {say(t, choice)}
          </Fact>
        )}
        {actions.length > 0 && (
          <Fact label={t("fair.done")} wide>
            {actions.map((action) => say(t, action)).join(" · ")}
          </Fact>
        )}
        <Fact label={t("fair.stake")}>
          <Money value={round.stake} currency={round.currency} />
        </Fact>
        <Fact label={t("fair.payout")}>
          {isOpen(round) ? (
            t("fair.still_open")
          ) : (
            <Money value={round.payout} currency={round.currency} className={tone} />
          )}
        </Fact>
        {round.jackpot !== null && (
          <Fact label={t("fair.jackpot")} wide>
            <Money value={round.jackpot} currency={round.currency} className="text-win" />
          </Fact>
        )}
        <Fact label={t("fair.round_number")}>
          <CopyText label={t("fair.round_number")} value={round.id} short={shortNumber(round.id)} />
        </Fact>
        <Fact label={t("fair.nonce")}>
          <code className="inline-block py-2.5 font-mono text-sm">{round.nonce}</code>
        </Fact>
        <Fact label={t("fair.client_seed")} wide>
          <CopyText label={t("fair.client_seed")} value={round.seed.clientSeed} />
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-3">
        <Link
          to="/play/$gameCode"
          params={{ gameCode: round.gameCode }}
          {...(!isOpen(round) && { search: { round: round.id } })}
          className={buttonClass()}
        >
          <Icon name={isOpen(round) ? "right" : "refresh"} className="size-5" />
          {t(isOpen(round) ? "fair.play_on" : "fair.watch")}
        </Link>
        <CopyRound round={round} />
      </div>
    </section>
  );
}

/** The whole round as text: for the checker on one's own computer, or for a friend. */
function CopyRound({ round }: { round: Round }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(roundText(round)).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <Button onClick={copy} onBlur={() => setCopied(false)}>
      <Icon name={copied ? "check" : "copy"} className="size-5" />
      {t("fair.copy_round")}
      <span role="status" className="sr-only">
        {copied ? t("copy.done") : ""}
      </span>
    </Button>
  );
}

type FactProps = { label: string; wide?: boolean; children: ReactNode };

function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={`grid min-w-0 content-start ${wide ? "col-span-2" : ""}`}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </div>
  );
}
