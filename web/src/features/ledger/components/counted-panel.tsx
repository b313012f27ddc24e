import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "@/features/auth/session";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import type { DailyRoot, MemberInfo } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

import { loadProof } from "../api";
import { joinedAfter, judgeProof } from "../counted";
import { dayText } from "../model";
import { CountedResult } from "./counted-result";
import { LoginFirst, Panel } from "./panel";
import { ResultBox } from "./result-box";

/** The way for a member to see that their balance is in a published total. */
export function CountedPanel({ days }: { days: readonly DailyRoot[] }) {
  const t = useT();
  const session = useSession();
  if (session.kind === "unknown") return <Skeleton className="h-40" />;
  if (session.kind === "visitor") return <LoginFirst text={t("proof.visitor")} next="/proof" />;
  if (session.kind === "trial") {
    return <Panel id="counted" title={t("proof.check")} text={t("proof.demo")} />;
  }
  const own = days.filter(({ currency }) => currency === session.member.currency);
  return (
    <Panel
      id="counted"
      title={t("proof.check")}
      text={t(own.length > 0 ? "proof.check_text" : "proof.none_text")}
    >
      {own.length > 0 && <Check days={own} member={session.member} />}
    </Panel>
  );
}

type CheckProps = { days: readonly DailyRoot[]; member: MemberInfo };

function Check({ days, member }: CheckProps) {
  const t = useT();
  const [chosen, setChosen] = useState<string | null>(null);
  const published = days.find(({ day }) => day === chosen) ?? days[0];
  const check = useMutation({
    mutationFn: async (root: DailyRoot) => judgeProof(await loadProof(root.day), root, member.id),
  });
  const choose = (day: string) => {
    check.reset();
    setChosen(day);
  };
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <label className="grid gap-1.5 text-sm text-muted">
          {t("proof.day")}
          <select
            value={published?.day}
            onChange={(event) => choose(event.target.value)}
            className="select leaf min-h-12 border border-line-strong bg-canvas pl-3 text-base text-ink"
          >
            {days.map(({ day }) => (
              <option key={day} value={day}>
                {dayText(day)}
              </option>
            ))}
          </select>
        </label>
        <Button
          variant="main"
          busy={check.isPending}
          onClick={() => {
            if (published && !check.isPending) check.mutate(published);
          }}
        >
          {t("proof.check_go")}
        </Button>
      </div>
      {check.isError && published && (
        <CheckFault error={check.error} member={member} published={published} />
      )}
      {check.data && <CountedResult counted={check.data} />}
    </>
  );
}

type MissingProps = { member: MemberInfo; published: DailyRoot };

function CheckFault({ error, ...missing }: MissingProps & { error: Error }) {
  const t = useT();
  if (isApiError(error, "wallet.no_proof")) return <Missing {...missing} />;
  return <p role="alert">{isApiError(error) ? errorText(error, t) : t("ledger.no_crypto")}</p>;
}

/** A member who is not in a total joined later, or was left out: the two are not the same news. */
function Missing({ member, published }: MissingProps) {
  const t = useT();
  const clock = (at: string) => clockText(new Date(at), getBoot().merchant.timeZone);
  const times = [clock(member.registeredAt), clock(published.madeAt)];
  return joinedAfter(member, published) ? (
    <ResultBox tone="open" title={t("proof.missing")}>
      <p>{t("proof.missing_text", ...times)}</p>
    </ResultBox>
  ) : (
    <ResultBox tone="bad" title={t("proof.left_out")}>
      <p className="font-semibold">{t("proof.left_out_text", ...times)}</p>
      <p>{t("proof.bad_text")}</p>
    </ResultBox>
  );
}
