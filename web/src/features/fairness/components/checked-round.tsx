import { useQuery } from "@tanstack/react-query";

import { roundQuery } from "../rounds";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

import { type Evidence, checkEvidence, evidenceOf } from "../model";
import { CheckSteps, Line } from "./check-steps";
import { RotateForm } from "./rotate-form";
import { Verdict } from "./verdict";

/** One of the member's rounds: checked, or with the way to reveal its seed. */
export function CheckedRound({ roundId }: { roundId: string }) {
  const t = useT();
  const round = useQuery(roundQuery(roundId));
  if (round.isPending) return <Skeleton className="h-96" />;
  if (round.isError) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p>{errorText(round.error, t)}</p>
        <Button onClick={() => void round.refetch()}>{t("fair.retry")}</Button>
      </div>
    );
  }
  const evidence = evidenceOf(round.data);
  if (evidence) return <CheckedEvidence evidence={evidence} />;
  return <StillSecret commitment={round.data.seed.commitment} />;
}

/** Works the evidence out and shows the verdict with every step. */
export function CheckedEvidence({ evidence }: { evidence: Evidence }) {
  const t = useT();
  const check = useQuery({
    queryKey: ["fair", "check", evidence] as const,
    queryFn: () => checkEvidence(evidence),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (check.isError) return <p role="alert">{t("fair.no_crypto")}</p>;
  if (!check.data) return <Skeleton className="h-96" />;
  return (
    <div className="grid min-w-0 gap-6">
      <Verdict verdict={check.data.verdict} />
      <CheckSteps check={check.data} />
    </div>
  );
}

function StillSecret({ commitment }: { commitment: string }) {
  const t = useT();
  return (
    <div className="leaf-lg grid gap-4 border border-line-strong bg-surface p-5">
      <p className="flex items-center gap-3">
        <Icon name="lock" className="size-7 text-accent-text" />
        <span className="display text-xl">{t("fair.secret_title")}</span>
      </p>
      <p className="max-w-[68ch] text-muted">{t("fair.secret_text")}</p>
      <Line label={t("fair.commitment")} value={commitment} />
      <RotateForm main />
    </div>
  );
}
