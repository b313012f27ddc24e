import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import type { OfficePath } from "../address";
import { approvalCountQuery } from "../approvals/api";
import { healthQuery } from "../service/api";
import { useMay } from "../session";

/** What a page of the menu has to say: how many requests wait, or that something is not well. */
export function PageMark({ path }: { path: OfficePath }) {
  if (path === "/approvals") return <ApprovalsMark />;
  return path === "/service" ? <ServiceMark /> : null;
}

function ApprovalsMark() {
  const t = useT();
  const { data } = useQuery(approvalCountQuery);
  if (!data || data.others === 0) return null;
  return (
    <span className="ml-auto min-w-6 rounded-full bg-accent px-1.5 text-center text-sm font-semibold text-on-accent tabular-nums">
      <span aria-hidden="true">{data.others}</span>
      <span className="sr-only">{t("office.approvals_mark", data.others)}</span>
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
