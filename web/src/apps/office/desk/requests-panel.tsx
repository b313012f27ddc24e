import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { Skeleton } from "@/ui/skeleton";
import { OfficeLink } from "../address";
import { approvalCountQuery } from "../approvals/api";
import { approvalRights } from "../pages";
import { Panel } from "../panel";
import { may, useMe } from "../session";

const link = "inline-flex min-h-11 items-center justify-self-start underline underline-offset-4";

/** Requests that wait for this person, and those that this person waits for. */
export function RequestsPanel() {
  const t = useT();
  const me = useMe();
  const isMine = may(me, approvalRights);
  const { data } = useQuery({ ...approvalCountQuery, enabled: isMine });
  if (!isMine) return null;
  return (
    <Panel title={t("office.waiting")}>
      {/* As high as it can become, so that nothing moves when the counts come. */}
      <div className="grid min-h-25 content-start gap-3">
        {!data && <Skeleton className="h-11" />}
        {data && data.others + data.own === 0 && (
          <p className="text-muted">{t("office.waiting_none")}</p>
        )}
        {data && data.others > 0 && (
          <OfficeLink to="/approvals" search={{ by: "others" }} className={link}>
            {t("office.waiting_others", data.others)}
          </OfficeLink>
        )}
        {data && data.own > 0 && (
          <OfficeLink to="/approvals" search={{ by: "me" }} className={link}>
            {t("office.waiting_own", data.own)}
          </OfficeLink>
        )}
      </div>
    </Panel>
  );
}
