import { useQuery } from "@tanstack/react-query";
import { type Translate, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { timeText } from "../clock";
import { type Column, DataTable } from "../table/data-table";
import { type JobKind, deadJobsQuery, jobsQuery } from "./api";
import { DeadJobs } from "./dead-jobs";
import { Span } from "./figures";
import { countText } from "./format";
import { jobText } from "./kinds";

/** How often an open page looks. */
const lookEvery = 5_000;

/** Every kind of jobs: when it runs, how the last one went, what waits, what is dead. */
export function JobsTab() {
  const t = useT();
  const tag = useLanguageTag();
  const { data, error, refetch } = useQuery({ ...jobsQuery, refetchInterval: lookEvery });
  const dead = useQuery(deadJobsQuery(undefined));
  return (
    <div className="grid gap-6">
      <DeadJobs />
      {/* It comes once what is above has its height, so that nothing moves. */}
      {!dead.isPending && (
        <section>
          <h2 className="display text-lg">{t("service.kinds")}</h2>
          <DataTable
            name="jobs"
            label={t("service.kinds")}
            columns={columnsOf(t, tag)}
            rows={data}
            keyOf={({ kind }) => kind}
            empty={t("service.kinds_none")}
            error={error}
            onRetry={() => void refetch()}
            note={t("service.kinds_text")}
          />
        </section>
      )}
    </div>
  );
}

function columnsOf(t: Translate, tag: string): readonly Column<JobKind>[] {
  return [
    {
      id: "kind",
      label: t("service.kind"),
      isFixed: true,
      cell: ({ kind }) => (
        <span className="grid py-1 font-normal">
          <span>{jobText(kind, t)}</span>
          <code className="font-mono text-xs text-muted">{kind}</code>
        </span>
      ),
    },
    {
      id: "every",
      label: t("service.every"),
      cell: ({ everyS }) => (everyS ? <Span ms={everyS * 1_000} /> : t("service.every_cause")),
    },
    {
      id: "done",
      label: t("service.done_at"),
      cell: ({ doneAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(doneAt)}</span>
      ),
    },
    {
      id: "took",
      label: t("service.took"),
      cell: ({ tookMs }) => <Span ms={tookMs} />,
    },
    {
      id: "next",
      label: t("service.next_at"),
      cell: ({ nextAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(nextAt)}</span>
      ),
    },
    {
      id: "waiting",
      label: t("service.waiting"),
      cell: ({ waiting }) => countText(waiting, tag),
    },
    {
      id: "dead",
      label: t("service.dead"),
      cell: ({ dead }) => (
        <span className={dead > 0 ? "font-semibold text-live-text" : undefined}>
          {countText(dead, tag)}
        </span>
      ),
    },
    {
      id: "error",
      label: t("service.last_error"),
      cell: ({ lastError }) => (
        <span data-name className="line-clamp-2">
          {lastError ?? "–"}
        </span>
      ),
    },
  ];
}
