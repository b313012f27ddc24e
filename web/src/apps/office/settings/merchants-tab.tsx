import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { OfficeLink } from "../address";
import { timeText } from "../clock";
import { type Column, DataTable } from "../table/data-table";
import { type MerchantRow, merchantsQuery } from "./api";
import { FoundDialog } from "./found-dialog";
import { HostsPanel } from "./hosts-panel";
import { MerchantForm } from "./merchant-form";
import type { TabProps } from "./site-tab";
import { searchOf } from "./tabs";

/** The merchant that is chosen, its hosts, and all others. */
export function MerchantsTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const [founds, setFounds] = useState(false);
  const { data: merchants, error, refetch } = useQuery(merchantsQuery);
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <MerchantForm
          key={JSON.stringify(settings.merchant)}
          settings={settings}
          mayWrite={mayWrite}
        />
        <HostsPanel settings={settings} mayWrite={mayWrite} />
      </div>
      <DataTable
        name="merchants"
        label={t("settings.merchants")}
        columns={columnsOf(t)}
        rows={merchants}
        keyOf={({ id }) => id}
        empty={t("settings.none")}
        error={error}
        onRetry={() => void refetch()}
        note={t("settings.merchants_text")}
        paging={
          mayWrite && (
            <Button size="sm" className="justify-self-start" onClick={() => setFounds(true)}>
              {t("settings.found")}
            </Button>
          )
        }
      />
      {founds && <FoundDialog onClose={() => setFounds(false)} />}
    </div>
  );
}

function columnsOf(t: Translate): readonly Column<MerchantRow>[] {
  return [
    {
      id: "name",
      label: t("office.name"),
      isFixed: true,
      cell: ({ code, name }) => (
        <OfficeLink
          to="/settings"
          search={searchOf("merchants", { merchant: code })}
          className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          <span data-name>{name}</span>
        </OfficeLink>
      ),
    },
    {
      id: "code",
      label: t("settings.code"),
      cell: ({ code }) => (
        <code data-name className="font-mono text-sm">
          {code}
        </code>
      ),
    },
    {
      id: "currency",
      label: t("settings.currency"),
      cell: ({ currency }) => <span data-name>{currency}</span>,
    },
    { id: "hosts", label: t("settings.hosts"), cell: ({ hosts }) => hosts },
    {
      id: "state",
      label: t("settings.state"),
      cell: ({ maintenance }) => (
        <span className={maintenance ? "text-live-text" : "text-win"}>
          {t(maintenance ? "settings.site_closed" : "settings.site_open")}
        </span>
      ),
    },
    {
      id: "created",
      label: t("settings.founded_at"),
      cell: ({ createdAt }) => <span className="tabular-nums">{timeText(createdAt)}</span>,
    },
  ];
}
