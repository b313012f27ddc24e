import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle, useLateFocus } from "@/ui/dialog";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { OfficeLink } from "../address";
import { timeText } from "../clock";
import { useNow } from "../now";
import { ListFault } from "../page-states";
import { Fact, Facts } from "../panel";
import { ReasonForm } from "../reason-dialog";
import { useMay } from "../session";
import DifferenceView from "../trail/difference-view";
import { type Approval, approvalQuery, approvalsKey, decide, withdraw } from "./api";
import { effectText, kindText, leftText, sentenceOf, stateText } from "./sentence";

/** One request: what will happen, who asked and why, and what one may do about it. */
export function ApprovalDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT();
  const tag = useLanguageTag();
  const { data, error, refetch } = useQuery(approvalQuery(id));
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>{data ? sentenceOf(data, t, tag) : t("office.approvals")}</DialogTitle>
        {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-48" />}
        {data && <Request approval={data} />}
      </div>
    </Dialog>
  );
}

function Request({ approval }: { approval: Approval }) {
  const t = useT();
  const tag = useLanguageTag();
  const now = useNow();
  const left = approval.state === "open" ? leftText(approval.expiresAt, now, t, tag) : null;
  return (
    <>
      <Facts>
        <Fact label={t("approvals.kind")}>{kindText(approval.kind, t)}</Fact>
        <Fact label={t("approvals.asked_by")}>
          <span data-name>{approval.askedBy}</span>
        </Fact>
        <Fact label={t("approvals.asked_at")}>{timeText(approval.askedAt)}</Fact>
        <Fact label={t("office.reason")}>
          <span data-name>{approval.reason}</span>
        </Fact>
        <Fact label={t("approvals.state")}>{stateText(approval.state, t)}</Fact>
        {left && (
          <Fact label={t("approvals.left")}>
            <span data-name>{left}</span>
          </Fact>
        )}
        {approval.decidedBy && (
          <Fact label={t("approvals.decided_by")}>
            <span data-name>{approval.decidedBy}</span>
          </Fact>
        )}
        {approval.decidedAt && (
          <Fact label={t("approvals.decided_at")}>{timeText(approval.decidedAt)}</Fact>
        )}
        {approval.decisionReason && (
          <Fact label={t("approvals.decision_reason")}>
            <span data-name>{approval.decisionReason}</span>
          </Fact>
        )}
      </Facts>
      <MemberLink approval={approval} />
      {approval.kind === "wallet.correct" ? (
        <p className="leaf border border-line p-3 text-sm">{effectText(approval, t)}</p>
      ) : (
        <DifferenceView before={null} after={approval.what} />
      )}
      <Deeds approval={approval} />
    </>
  );
}

/** The way to the member whom it is about, for those who may see members. */
function MemberLink({ approval: { about } }: { approval: Approval }) {
  const t = useT();
  const mayLook = useMay("members.read");
  if (!about.member || !mayLook) return null;
  return (
    <OfficeLink
      to={`/members/${about.member.id}`}
      className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
    >
      {t("approvals.to_member", about.member.username)}
    </OfficeLink>
  );
}

/** Whoever asked may take it back; somebody else decides. */
function Deeds({ approval }: { approval: Approval }) {
  const t = useT();
  if (approval.state !== "open") return null;
  if (approval.isOwn) return <Withdrawal approval={approval} />;
  if (approval.mayDecide) return <Decision approval={approval} />;
  return <p className="text-muted">{t("approvals.not_yours")}</p>;
}

function Withdrawal({ approval: { id } }: { approval: Approval }) {
  const t = useT();
  const load = useLoadAgain();
  const [asks, setAsks] = useState(false);
  return (
    <section className="grid gap-3 border-t border-line pt-4">
      <p className="text-sm text-muted">{t("approvals.own")}</p>
      {asks ? (
        <ReasonForm
          action={t("approvals.withdraw")}
          onReason={(reason) => withdraw(id, reason).finally(load)}
          onDone={() => toast(t("approvals.withdrawn"), "good")}
        />
      ) : (
        <Button size="sm" className="justify-self-start" onClick={() => setAsks(true)}>
          {t("approvals.withdraw")}
        </Button>
      )}
    </section>
  );
}

function Decision({ approval: { id } }: { approval: Approval }) {
  const t = useT();
  const load = useLoadAgain();
  const [agrees, setAgrees] = useState<boolean | null>(null);
  const [was, setWas] = useState<boolean | null>(null);
  if (agrees !== null) {
    return (
      <section className="grid gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">{t(agrees ? "approvals.agree" : "approvals.refuse")}</h3>
        <p className="text-sm text-muted">
          {t(agrees ? "approvals.agree_text" : "approvals.refuse_text")}
        </p>
        <ReasonForm
          key={String(agrees)}
          action={t(agrees ? "approvals.agree" : "approvals.refuse")}
          onReason={(reason) => decide(id, { agrees, reason }).finally(load)}
          onDone={() => toast(t(agrees ? "approvals.agreed" : "approvals.refused"), "good")}
        />
        <Button
          size="sm"
          variant="quiet"
          className="justify-self-start"
          onClick={() => {
            setWas(agrees);
            setAgrees(null);
          }}
        >
          {t("approvals.back")}
        </Button>
      </section>
    );
  }
  return <Choice was={was} onChoose={setAgrees} />;
}

type ChoiceProps = { was: boolean | null; onChoose: (agrees: boolean) => void };

/** Whoever comes back from a choice is at its button again. */
function Choice({ was, onChoose }: ChoiceProps) {
  const t = useT();
  const ref = useLateFocus<HTMLDivElement>();
  return (
    <div ref={ref} className="flex flex-wrap gap-3 border-t border-line pt-4">
      <Button
        data-autofocus={was === true || undefined}
        variant="main"
        size="sm"
        onClick={() => onChoose(true)}
      >
        {t("approvals.agree")}
      </Button>
      <Button data-autofocus={was === false || undefined} size="sm" onClick={() => onChoose(false)}>
        {t("approvals.refuse")}
      </Button>
    </div>
  );
}

/** What was decided shows at once, also where the line is down. */
function useLoadAgain(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: approvalsKey });
}
