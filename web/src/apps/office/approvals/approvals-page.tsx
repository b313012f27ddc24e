import { useQuery } from "@tanstack/react-query";
import { type Translate, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { OfficeLink, useAddress, useGo } from "../address";
import { timeText } from "../clock";
import { useNow } from "../now";
import { Older } from "../older";
import { PageHead } from "../panel";
import { type Column, DataTable } from "../table/data-table";
import { type Approval, approvalsQuery } from "./api";
import { ApprovalDialog } from "./approval-dialog";
import { ApprovalsFilter } from "./approvals-filter";
import { pageSize, queryOf } from "./filter";
import { leftText, sentenceOf, stateText } from "./sentence";

/** What one person asks for and another decides; it changes by itself. */
export default function ApprovalsPage() {
  const t = useT();
  const tag = useLanguageTag();
  const go = useGo();
  const address = useAddress();
  const now = useNow();
  const rows = useQuery(approvalsQuery(queryOf(address)));
  const last = rows.data?.length === pageSize ? rows.data.at(-1)?.id : undefined;
  const chosen = address["approval"];
  return (
    <>
      <PageHead title={t("office.approvals")} />
      <ApprovalsFilter />
      <DataTable
        name="approvals"
        label={t("office.approvals")}
        columns={columnsOf(t, tag, now)}
        rows={rows.data}
        keyOf={({ id }) => id}
        empty={t("approvals.none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        isStale={rows.isPlaceholderData}
        note={t("approvals.note")}
        paging={<Older path="/approvals" last={last} />}
      />
      {chosen && (
        <ApprovalDialog
          key={chosen}
          id={chosen}
          onClose={() => go("/approvals", { ...address, approval: undefined })}
        />
      )}
    </>
  );
}

function columnsOf(t: Translate, tag: string, now: Date): readonly Column<Approval>[] {
  return [
    {
      id: "what",
      label: t("approvals.what"),
      isFixed: true,
      cell: (approval) => <ApprovalLink approval={approval} />,
    },
    {
      id: "by",
      label: t("approvals.asked_by"),
      cell: ({ askedBy, isOwn }) => (
        <span>
          <span data-name>{askedBy}</span>
          {isOwn && <span className="pl-2 text-sm text-muted">{t("office.yourself")}</span>}
        </span>
      ),
    },
    {
      id: "at",
      label: t("approvals.asked_at"),
      cell: ({ askedAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(askedAt)}</span>
      ),
    },
    {
      id: "why",
      label: t("office.reason"),
      cell: ({ reason }) => (
        <span data-name className="line-clamp-2">
          {reason}
        </span>
      ),
    },
    {
      id: "state",
      label: t("approvals.state"),
      cell: ({ state }) => <StateWord state={state} />,
    },
    {
      id: "left",
      label: t("approvals.left"),
      cell: ({ state, expiresAt }) => (
        <span data-name className="whitespace-nowrap tabular-nums">
          {(state === "open" && leftText(expiresAt, now, t, tag)) || "–"}
        </span>
      ),
    },
    {
      id: "decided",
      label: t("approvals.decided_by"),
      isExtra: true,
      cell: ({ decidedBy }) => <span data-name>{decidedBy ?? "–"}</span>,
    },
  ];
}

function ApprovalLink({ approval }: { approval: Approval }) {
  const t = useT();
  const tag = useLanguageTag();
  const address = useAddress();
  return (
    <OfficeLink
      to="/approvals"
      search={{ ...address, approval: approval.id }}
      className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
    >
      {sentenceOf(approval, t, tag)}
    </OfficeLink>
  );
}

const looks: Readonly<Record<string, string>> = {
  open: "text-accent-text",
  done: "text-win",
  refused: "text-live-text",
};

function StateWord({ state }: { state: string }) {
  const t = useT();
  return <span className={looks[state] ?? "text-muted"}>{stateText(state, t)}</span>;
}
