import { useQuery } from "@tanstack/react-query";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { Skeleton } from "@/ui/skeleton";
import { timeText } from "../clock";
import { ListFault } from "../page-states";
import { Fact, Facts } from "../panel";
import { type Health, healthQuery } from "./api";
import { CheckCard } from "./check-card";
import { Bytes, Span } from "./figures";
import { countText } from "./format";
import { HealthCard } from "./health-card";
import { StateMark } from "./verdict";

/** How often an open page looks. */
const lookEvery = 5_000;

/** How everything does, refreshed while somebody looks. */
export function HealthTab() {
  const t = useT();
  const { data, error, refetch } = useQuery({ ...healthQuery, refetchInterval: lookEvery });
  if (error && !data) return <ListFault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-96" />;
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <StateMark state={data.state} />
        <span className="text-sm text-muted tabular-nums">
          {t("service.seen_at", timeText(data.at))}
        </span>
      </p>
      <div className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
        <CheckCard what="ledger" title={t("service.ledger")} check={data.ledger} />
        <CheckCard what="trail" title={t("office.trail")} check={data.trail} />
        <CheckCard what="rounds" title={t("service.fairness")} check={data.rounds} />
        <WriterCard health={data} />
        <DatabaseCard health={data} />
        <PushCard health={data} />
        <PasswordsCard health={data} />
        <JobsCard health={data} />
        <NodeCard health={data} />
      </div>
    </div>
  );
}

type CardProps = { health: Health };

function WriterCard({ health: { writer } }: CardProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <HealthCard title={t("service.writer")} verdict={writer.verdict}>
      <Facts>
        <Fact label={t("service.queue")}>
          {t("service.of", countText(writer.queue, tag), countText(writer.queueMax, tag))}
        </Fact>
        <Fact label={t("service.lanes")}>
          {t("service.of", writer.lanes - writer.failingLanes, writer.lanes)}
        </Fact>
        <Fact label={t("service.wait")}>
          <Span ms={writer.waitMicros / 1_000} />
        </Fact>
        <Fact label={t("service.commit")}>
          <Span ms={writer.batchMicros / 1_000} />
        </Fact>
        <Fact label={t("service.orders")}>{countText(writer.orders, tag)}</Fact>
        <Fact label={t("service.batch")}>
          {countText(Math.round(writer.orders / Math.max(writer.batches, 1)), tag)}
        </Fact>
      </Facts>
    </HealthCard>
  );
}

function DatabaseCard({ health: { database } }: CardProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <HealthCard title={t("service.database")} verdict={database.verdict}>
      <Facts>
        <Fact label={t("service.latency")}>
          <Span ms={database.latencyMicros / 1_000} />
        </Fact>
        <Fact label={t("service.connections")}>
          {t("service.of", database.connections, database.connectionsMax)}
        </Fact>
        <Fact label={t("service.pool")}>
          {t("service.of", database.pool - database.poolIdle, database.pool)}
        </Fact>
        <Fact label={t("service.oldest")}>
          <Span ms={database.oldestTransactionMs} />
        </Fact>
        <Fact label={t("service.locks")}>{countText(database.waitingForLocks, tag)}</Fact>
        <Fact label={t("service.size")}>
          <Bytes bytes={database.bytes} />
        </Fact>
        <Fact label={t("service.migration")}>{database.migration}</Fact>
      </Facts>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center text-sm underline underline-offset-4">
          {t("service.tables")}
        </summary>
        <ul className="grid gap-1.5 text-sm">
          {database.tables.map(({ name, bytes, rows }) => (
            <li key={name} className="grid grid-cols-[1fr_auto_5.5rem] gap-x-4">
              <code className="truncate font-mono text-xs">{name}</code>
              <span>{t("service.table_rows", countText(rows, tag))}</span>
              <span className="text-right">
                <Bytes bytes={bytes} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </HealthCard>
  );
}

function PushCard({ health: { push } }: CardProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <HealthCard title={t("service.push")} verdict={push.verdict}>
      <Facts>
        <Fact label={t("service.sockets")}>
          {t("service.of", countText(push.sockets, tag), countText(push.socketsMax, tag))}
        </Fact>
        <Fact label={t("service.position")}>{countText(push.position, tag)}</Fact>
        <Fact label={t("service.behind")}>{countText(push.behind, tag)}</Fact>
        <Fact label={t("service.waits")}>
          <Span ms={push.waitsMs} />
        </Fact>
      </Facts>
    </HealthCard>
  );
}

function PasswordsCard({ health: { passwords } }: CardProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <HealthCard title={t("service.passwords")} verdict={passwords.verdict}>
      <Facts>
        <Fact label={t("service.queue")}>{countText(passwords.queue, tag)}</Fact>
        <Fact label={t("service.threads")}>{passwords.threads}</Fact>
        <Fact label={t("service.each")}>
          <Span ms={passwords.eachMicros / 1_000} />
        </Fact>
        <Fact label={t("service.wait")}>
          <Span ms={passwords.waitMicros / 1_000} />
        </Fact>
      </Facts>
    </HealthCard>
  );
}

function JobsCard({ health: { jobs } }: CardProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <HealthCard title={t("service.jobs")} verdict={jobs.verdict}>
      <Facts>
        <Fact label={t("service.dead")}>{countText(jobs.dead, tag)}</Fact>
        <Fact label={t("service.due")}>{countText(jobs.due, tag)}</Fact>
        <Fact label={t("service.due_since")}>{timeText(jobs.dueSince)}</Fact>
      </Facts>
    </HealthCard>
  );
}

function NodeCard({ health: { node } }: CardProps) {
  const t = useT();
  return (
    <HealthCard title={t("service.node")}>
      <Facts>
        <Fact label={t("service.version")}>{node.version}</Fact>
        <Fact label={t("service.uptime")}>
          <Span ms={node.uptimeS * 1_000} />
        </Fact>
        <Fact label={t("service.memory")}>
          <Bytes bytes={node.memoryBytes} />
        </Fact>
        <Fact label={t("service.cores")}>{node.cores}</Fact>
      </Facts>
    </HealthCard>
  );
}
