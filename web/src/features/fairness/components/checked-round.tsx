import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";

import { errorText } from "@/lib/api/error-text";
import type { Round } from "@/lib/api/types";
import { evidenceOf } from "@/lib/fair/evidence";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

import { seedQuery } from "../api";
import { roundQuery } from "../rounds";
import { BookList } from "./book-list";
import { CheckedEvidence } from "./checked-evidence";
import { RotateForm } from "./rotate-form";
import { RoundHead } from "./round-head";
import { Line } from "./steps";

/** One of the member's rounds: checked, or with the way to reveal its seed. */
export function CheckedRound({ roundId }: { roundId: string }) {
  const t = useT();
  const view = useRef<HTMLDivElement>(null);
  const round = useQuery(roundQuery(roundId));
  if (round.isPending) return <Skeleton className="h-96" />;
  if (round.isError) {
    return (
      <div role="alert" className="grid content-start justify-items-start gap-3">
        <p>{errorText(round.error, t)}</p>
        <Button onClick={() => void round.refetch()}>{t("fair.retry")}</Button>
      </div>
    );
  }
  const evidence = evidenceOf(round.data);
  // The form is gone then: the keyboard goes on at the round, not at the top of the page.
  const showRound = () => {
    view.current?.focus({ preventScroll: true });
    view.current?.scrollIntoView({ block: "start" });
  };
  return (
    <div ref={view} tabIndex={-1} className="grid min-w-0 content-start gap-6 outline-none">
      <RoundHead round={round.data} />
      {evidence ? (
        <CheckedEvidence evidence={evidence} />
      ) : (
        <StillSecret round={round.data} onRevealed={showRound} />
      )}
    </div>
  );
}

type StillSecretProps = { round: Round; onRevealed: () => void };

/** A sealed round belongs to the seeds in use: this card stands in for the panel of the seeds. */
function StillSecret({ round, onRevealed }: StillSecretProps) {
  const t = useT();
  const seed = useQuery(seedQuery);
  return (
    <>
      <div className="leaf-lg grid gap-4 border border-line-strong bg-surface p-5">
        <p className="flex items-center gap-3">
          <Icon name="lock" className="size-7 shrink-0 text-accent-text" />
          <span className="display text-xl">{t("fair.secret_title")}</span>
        </p>
        <p className="max-w-[68ch] text-muted">{t("fair.secret_text")}</p>
        <div>
          <Line label={t("fair.commitment")} value={round.seed.commitment} />
          {seed.data && <Line label={t("fair.next_commitment")} value={seed.data.nextCommitment} />}
        </div>
        <RotateForm toCheck onRotated={onRevealed} />
      </div>
      <section aria-labelledby="book" className="grid gap-3">
        <h3 id="book" className="text-lg font-semibold">
          {t("fair.step_book")}
        </h3>
        <BookList events={round.book} context={{ game: round.gameCode, choice: round.choice }} />
      </section>
    </>
  );
}
