import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { OfficeLink } from "../address";
import { type TrailRow, trailQuery } from "../api";
import { timeText } from "../clock";
import { type Column, DataTable } from "../table/data-table";
import { actionText } from "../trail/actions";
import { subjectSearch } from "../trail/filter";
import type { MemberFile } from "./api";
import { pageSize } from "./filter";

const RowDialog = lazy(() => loadPart(() => import("../trail/row-dialog")));

/** What staff did to this member, the latest first. */
export function MemberTrail({ member }: { member: MemberFile }) {
  const t = useT();
  const subject = `member:${member.id}`;
  const rows = useQuery(trailQuery({ subject, limit: pageSize }));
  const [open, setOpen] = useState<TrailRow | null>(null);
  return (
    <>
      <DataTable
        name="member-trail"
        label={t("members.tab_trail")}
        columns={columnsOf(t, setOpen)}
        rows={rows.data}
        keyOf={({ seq }) => String(seq)}
        empty={t("members.trail_none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        paging={
          rows.data?.length === pageSize && (
            <OfficeLink
              to="/trail"
              search={subjectSearch(subject)}
              className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
            >
              {t("members.trail_all")}
            </OfficeLink>
          )
        }
      />
      <Suspense>{open && <RowDialog row={open} onClose={() => setOpen(null)} />}</Suspense>
    </>
  );
}

function columnsOf(t: Translate, onOpen: (row: TrailRow) => void): readonly Column<TrailRow>[] {
  return [
    {
      id: "action",
      label: t("office.action"),
      isFixed: true,
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="row-link min-h-11 min-w-11 text-left font-semibold underline-offset-4 hover:underline"
        >
          {actionText(row.action, t)}
        </button>
      ),
    },
    {
      id: "at",
      label: t("office.at"),
      cell: ({ at }) => <span className="tabular-nums">{timeText(at)}</span>,
    },
    { id: "actor", label: t("office.actor"), cell: ({ actor }) => <span data-name>{actor}</span> },
    {
      id: "reason",
      label: t("office.reason"),
      cell: ({ reason }) => <span data-name>{reason ?? "–"}</span>,
    },
  ];
}
