import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { OfficeLink, useAddress } from "../address";
import { type TrailRow, peopleQuery, takeTrail, trailQuery } from "../api";
import { timeText, zone } from "../clock";
import { PageHead } from "../panel";
import { useMay } from "../session";
import { type Column, DataTable } from "../table/data-table";
import { actionText, actorText } from "./actions";
import { CheckTrail } from "./check-trail";
import { olderThan, pageSize, queryOf } from "./filter";
import { type NameOf, useNames } from "./names";
import RowDialog from "./row-dialog";
import { Subject } from "./subject";
import { TrailFilter } from "./trail-filter";

/** What was done in the office, the latest first. */
export default function TrailPage() {
  const t = useT();
  const address = useAddress();
  const wanted = queryOf(address);
  const before = olderThan(address);
  const [open, setOpen] = useState<TrailRow | null>(null);
  const { data: people } = useQuery({ ...peopleQuery, enabled: useMay("staff.read") });
  const rows = useQuery(
    trailQuery({ ...wanted, limit: pageSize, ...(before !== undefined && { before }) }),
  );
  const nameOf = useNames(rows.data ?? []);
  const mayTake = useMay("trail.export");
  return (
    <>
      <PageHead title={t("office.trail")}>
        <CheckTrail />
      </PageHead>
      <TrailFilter people={people} />
      <DataTable
        name="trail"
        label={t("office.trail")}
        columns={columnsOf(t, nameOf, setOpen)}
        rows={rows.data}
        keyOf={({ seq }) => String(seq)}
        empty={t("office.trail_none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        isStale={rows.isPlaceholderData}
        csv={mayTake && (() => takeTrail(wanted))}
        note={t("office.trail_zone", zone)}
        paging={<Paging rows={rows.data ?? []} />}
      />
      {open && <RowDialog row={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function columnsOf(
  t: Translate,
  nameOf: NameOf,
  onOpen: (row: TrailRow) => void,
): readonly Column<TrailRow>[] {
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
          {...(actionText(row.action, t) === row.action && { "data-name": true })}
        >
          {actionText(row.action, t)}
        </button>
      ),
    },
    {
      id: "seq",
      label: t("office.seq"),
      cell: ({ seq }) => <span className="tabular-nums">{seq}</span>,
    },
    {
      id: "at",
      label: t("office.at"),
      cell: ({ at }) => <span className="whitespace-nowrap tabular-nums">{timeText(at)}</span>,
    },
    {
      id: "actor",
      label: t("office.actor"),
      cell: (row) => <span data-name>{actorText(row, t)}</span>,
    },
    {
      id: "subject",
      label: t("office.subject"),
      cell: ({ subject }) => <Subject subject={subject} nameOf={nameOf} />,
    },
    {
      id: "reason",
      label: t("office.reason"),
      cell: ({ reason }) => (
        <span data-name className="line-clamp-2">
          {reason ?? "–"}
        </span>
      ),
    },
    {
      id: "address",
      label: t("office.address"),
      isExtra: true,
      cell: ({ address }) => <span data-name>{address ?? "–"}</span>,
    },
  ];
}

/** Towards older rows page by page, and back to the latest. */
function Paging({ rows }: { rows: readonly TrailRow[] }) {
  const t = useT();
  const address = useAddress();
  const last = rows.at(-1);
  const hasOlder = rows.length === pageSize && last !== undefined && last.seq > 1;
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {olderThan(address) !== undefined && (
        <OfficeLink
          to="/trail"
          search={{ ...address, before: undefined }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.latest")}
        </OfficeLink>
      )}
      {hasOlder && (
        <OfficeLink
          to="/trail"
          search={{ ...address, before: String(last.seq) }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.older")}
        </OfficeLink>
      )}
    </nav>
  );
}
