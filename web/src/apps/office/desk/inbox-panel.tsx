import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { OfficeLink } from "../address";
import { countText, waitingAffiliates, waitingFeedback } from "../inbox/api";
import { Panel } from "../panel";
import { useMay } from "../session";

const link = "inline-flex min-h-11 items-center justify-self-start underline underline-offset-4";

/** What people outside wrote, and nobody has looked after yet. */
export function InboxPanel() {
  const t = useT();
  const mayFeedback = useMay("feedback.read");
  const mayAffiliates = useMay("affiliates.read");
  const { data: feedback } = useQuery({ ...waitingFeedback, enabled: mayFeedback });
  const { data: affiliates } = useQuery({ ...waitingAffiliates, enabled: mayAffiliates });
  if (!mayFeedback && !mayAffiliates) return null;
  const isQuiet = [mayFeedback && feedback, mayAffiliates && affiliates].every(
    (rows) => rows === false || rows?.length === 0,
  );
  return (
    <Panel title={t("office.inbox")}>
      {/* As high as it can become, so that nothing moves when the counts come. */}
      <div
        className={`grid content-start gap-3 ${mayFeedback && mayAffiliates ? "min-h-25" : "min-h-11"}`}
      >
        {isQuiet && <p className="text-muted">{t("office.inbox_none")}</p>}
        {feedback && feedback.length > 0 && (
          <OfficeLink to="/feedback" className={link}>
            {t("office.inbox_feedback", countText(feedback.length))}
          </OfficeLink>
        )}
        {affiliates && affiliates.length > 0 && (
          <OfficeLink to="/affiliates" className={link}>
            {t("office.inbox_affiliates", countText(affiliates.length))}
          </OfficeLink>
        )}
      </div>
    </Panel>
  );
}
