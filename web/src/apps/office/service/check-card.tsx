import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { ReasonDialog } from "../reason-dialog";
import { useMay } from "../session";
import { type CheckHealth, askCheck, healthQuery } from "./api";
import { Span } from "./figures";
import { countText } from "./format";
import { HealthCard } from "./health-card";

type CheckCardProps = { what: "ledger" | "trail" | "rounds"; title: string; check: CheckHealth };

/** What the last check of every row found, and a way to have another one made. */
export function CheckCard({ what, title, check }: CheckCardProps) {
  const t = useT();
  const tag = useLanguageTag();
  const client = useQueryClient();
  const mayAsk = useMay("service.write");
  const [asks, setAsks] = useState(false);
  return (
    <HealthCard title={title} verdict={check.verdict}>
      <Facts>
        <Fact label={t("service.checked_at")}>{timeText(check.checkedAt)}</Fact>
        <Fact label={t("service.rows")}>
          {typeof check.rows === "number" ? countText(check.rows, tag) : "–"}
        </Fact>
        <Fact label={t("service.took")}>
          <Span ms={check.tookMs} />
        </Fact>
        {check.fault && (
          <Fact label={t("service.fault")}>
            <span data-name>{check.fault}</span>
          </Fact>
        )}
      </Facts>
      {check.isRunning && (
        <p role="status" className="text-sm">
          {t("service.check_runs")}
        </p>
      )}
      {mayAsk && !check.isRunning && (
        <Button size="sm" className="justify-self-start" onClick={() => setAsks(true)}>
          {t("service.check_now")}
        </Button>
      )}
      {asks && (
        <ReasonDialog
          title={t("service.check_title", title)}
          text={t("service.check_text")}
          action={t("service.check_now")}
          onClose={() => setAsks(false)}
          onReason={async (reason) => {
            await askCheck(what, reason);
            toast(t("service.check_asked"), "good");
            await client.invalidateQueries({ queryKey: healthQuery.queryKey });
          }}
        />
      )}
    </HealthCard>
  );
}
