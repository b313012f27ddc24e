import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";
import { timeText } from "../clock";
import { ReasonDialog } from "../reason-dialog";
import { useMay } from "../session";
import { type Column, DataTable } from "../table/data-table";
import { type DeadJob, deadJobsQuery, jobsKey, retryJob } from "./api";
import { jobText } from "./kinds";

/** Rows of a page: as many as the server gives where nothing is said. */
const pageSize = 50;

/** Jobs that failed for good, each with a second life. */
export function DeadJobs() {
  const t = useT();
  const client = useQueryClient();
  const mayRetry = useMay("service.write");
  const [chosen, setChosen] = useState<DeadJob | null>(null);
  const [before, setBefore] = useState<string | undefined>(undefined);
  const { data, error, refetch } = useQuery(deadJobsQuery(before));
  return (
    <section>
      <h2 className="display text-lg">{t("service.dead_jobs")}</h2>
      <DataTable
        name="dead-jobs"
        label={t("service.dead_jobs")}
        columns={columnsOf(t, mayRetry ? setChosen : null)}
        rows={data}
        keyOf={({ id }) => id}
        empty={t("service.dead_none")}
        error={error}
        onRetry={() => void refetch()}
        paging={
          <div className="flex gap-3 empty:hidden">
            {before !== undefined && (
              <Button size="sm" onClick={() => setBefore(undefined)}>
                {t("office.latest")}
              </Button>
            )}
            {data?.length === pageSize && (
              <Button size="sm" onClick={() => setBefore(data.at(-1)?.id)}>
                {t("office.older")}
              </Button>
            )}
          </div>
        }
      />
      {chosen && (
        <ReasonDialog
          title={t("service.retry")}
          text={t("service.retry_text")}
          action={t("service.retry")}
          onClose={() => setChosen(null)}
          onReason={async (reason) => {
            await retryJob(chosen.id, reason).finally(
              () => void client.invalidateQueries({ queryKey: jobsKey }),
            );
            toast(t("service.retried"), "good");
          }}
        />
      )}
    </section>
  );
}

function columnsOf(
  t: Translate,
  onRetry: ((job: DeadJob) => void) | null,
): readonly Column<DeadJob>[] {
  return [
    {
      id: "kind",
      label: t("service.kind"),
      isFixed: true,
      cell: ({ kind }) => (
        <span className="grid py-1">
          <span>{jobText(kind, t)}</span>
          <code className="font-mono text-xs font-normal text-muted">{kind}</code>
        </span>
      ),
    },
    {
      id: "payload",
      label: t("service.payload"),
      cell: ({ payload }) => (
        <code data-name className="font-mono text-xs wrap-anywhere">
          {payload}
        </code>
      ),
    },
    { id: "attempts", label: t("service.tries"), cell: ({ attempts }) => attempts },
    {
      id: "died",
      label: t("service.died_at"),
      cell: ({ diedAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(diedAt)}</span>
      ),
    },
    {
      id: "error",
      label: t("service.last_error"),
      cell: ({ lastError }) => (
        <span data-name className="line-clamp-3">
          {lastError ?? "–"}
        </span>
      ),
    },
    {
      id: "retry",
      label: t("service.action"),
      cell: (job) =>
        onRetry ? (
          <Button size="sm" onClick={() => onRetry(job)}>
            {t("service.retry")}
          </Button>
        ) : (
          "–"
        ),
    },
  ];
}
