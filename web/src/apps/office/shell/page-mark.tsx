import { useQuery } from "@tanstack/react-query";
import { type Key, useT } from "@/lib/i18n/i18n";
import type { OfficePath } from "../address";
import { approvalCountQuery } from "../approvals/api";
import { countText, waitingAffiliates, waitingFeedback } from "../inbox/api";
import { healthQuery } from "../service/api";
import { useMay } from "../session";

/** What a page of the menu has to say: how many requests wait, or that something is not well. */
export function PageMark({ path }: { path: OfficePath }) {
  switch (path) {
    case "/approvals":
      return <ApprovalsMark />;
    case "/feedback":
      return <FeedbackMark />;
    case "/affiliates":
      return <AffiliatesMark />;
    default:
      return path === "/service" ? <ServiceMark /> : null;
  }
}

function ApprovalsMark() {
  const { data } = useQuery(approvalCountQuery);
  return <Count count={data?.others ?? 0} text="office.approvals_mark" />;
}

function FeedbackMark() {
  const { data = [] } = useQuery(waitingFeedback);
  return <Count count={data.length} text="office.feedback_mark" />;
}

function AffiliatesMark() {
  const { data = [] } = useQuery(waitingAffiliates);
  return <Count count={data.length} text="office.approvals_mark" />;
}

function Count({ count, text }: { count: number; text: Key }) {
  const t = useT();
  if (count === 0) return null;
  return (
    <span className="ml-auto min-w-6 rounded-full bg-accent px-1.5 text-center text-sm font-semibold text-on-accent tabular-nums">
      <span aria-hidden="true">{countText(count)}</span>
      <span className="sr-only">{t(text, countText(count))}</span>
    </span>
  );
}

/** How often the menu looks whether all is well. */
const lookEvery = 30_000;

function ServiceMark() {
  const t = useT();
  const mayLook = useMay("service.read");
  const { data } = useQuery({ ...healthQuery, enabled: mayLook, refetchInterval: lookEvery });
  if (!data || data.state === "well") return null;
  return (
    <span className="ml-auto size-2.5 rounded-full bg-live">
      <span className="sr-only">{t("office.service_mark")}</span>
    </span>
  );
}
