import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { OfficeLink, type Search, useAddress, useChangeSearch } from "../address";
import { timeText, zone } from "../clock";
import { SelectField } from "../select-field";
import { type Column, DataTable } from "../table/data-table";
import { TextFilter } from "../text-filter";
import { type Change, type Kind, changesQuery } from "./api";
import { ChangeDialog } from "./change-dialog";
import { kindNames, pageSize, queryOf, settingText } from "./history";
import type { TabProps } from "./site-tab";

/** What was changed, the latest first. */
export function HistoryTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const address = useAddress();
  const [open, setOpen] = useState<Change | null>(null);
  const changes = useQuery(changesQuery(settings.id, queryOf(address)));
  return (
    <>
      <HistoryFilter />
      <DataTable
        name="setting-changes"
        label={t("settings.tab_history")}
        columns={columnsOf(t, setOpen)}
        rows={changes.data}
        keyOf={({ id }) => id}
        empty={t("settings.history_none")}
        error={changes.error}
        onRetry={() => void changes.refetch()}
        isStale={changes.isPlaceholderData}
        note={t("office.trail_zone", zone)}
        paging={<Paging rows={changes.data ?? []} />}
      />
      {open && <ChangeDialog change={open} mayUndo={mayWrite} onClose={() => setOpen(null)} />}
    </>
  );
}

function HistoryFilter() {
  const t = useT();
  const { kind = "", name = "", actor = "" } = useAddress();
  const change = useChangeSearch();
  // Other rows have other pages.
  const set = (part: Search) => change({ ...part, before: undefined });
  const kinds = Object.keys(kindNames) as Kind[];
  return (
    <search className="grid items-start gap-3 pb-2 sm:grid-cols-3 xl:max-w-4xl">
      <SelectField
        label={t("settings.kind")}
        value={kind}
        onChange={(value) => set({ kind: value })}
        options={[
          { value: "", label: t("settings.kind_any") },
          ...kinds.map((value) => ({ value, label: t(kindNames[value]) })),
        ]}
      />
      <TextFilter
        label={t("settings.name")}
        autoComplete="off"
        value={name}
        onSettle={(text) => set({ name: text.trim() })}
      />
      <TextFilter
        label={t("office.actor")}
        autoComplete="off"
        value={actor}
        onSettle={(text) => set({ actor: text.trim() })}
      />
    </search>
  );
}

function columnsOf(t: Translate, onOpen: (change: Change) => void): readonly Column<Change>[] {
  return [
    {
      id: "setting",
      label: t("settings.setting"),
      isFixed: true,
      cell: (change) => (
        <button
          type="button"
          onClick={() => onOpen(change)}
          className="row-link min-h-11 min-w-11 text-left font-semibold underline-offset-4 hover:underline"
        >
          <span data-name>{settingText(change, t)}</span>
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
    { id: "actor", label: t("office.actor"), cell: ({ actor }) => <span data-name>{actor}</span> },
    {
      id: "reason",
      label: t("office.reason"),
      cell: ({ reason, undoes }) => (
        <span className="line-clamp-2">
          {undoes && <span className="text-accent-text">{t("settings.is_undo")} </span>}
          <span data-name>{reason}</span>
        </span>
      ),
    },
  ];
}

/** Towards older changes page by page, and back to the latest. */
function Paging({ rows }: { rows: readonly Change[] }) {
  const t = useT();
  const address = useAddress();
  const last = rows.at(-1);
  const hasOlder = rows.length === pageSize && last !== undefined && last.seq > 1;
  const look = buttonClass("plain", "sm");
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {address["before"] !== undefined && (
        <OfficeLink to="/settings" search={{ ...address, before: undefined }} className={look}>
          {t("office.latest")}
        </OfficeLink>
      )}
      {hasOlder && (
        <OfficeLink
          to="/settings"
          search={{ ...address, before: String(last.seq) }}
          className={look}
        >
          {t("office.older")}
        </OfficeLink>
      )}
    </nav>
  );
}
