import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { type Column, DataTable } from "../table/data-table";
import { type Country, type Policy, changeSetting, countriesQuery } from "./api";
import { PolicyDialog } from "./policy-dialog";
import { ReasonDialog } from "./reason-dialog";
import { useSave } from "./save";
import type { TabProps } from "./site-tab";

/** The merchant's own policy, beside those of countries. */
export const own = "*";

type Row = { name: string; policy: Policy };
type Open = { kind: "edit"; name: string | null } | { kind: "remove"; name: string };

/** A country's name; the merchant's own policy is that of everywhere else. */
export function placeText(name: string, countries: readonly Country[], t: Translate): string {
  if (name === own) return t("settings.everywhere");
  return countries.find(({ countryCode }) => countryCode === name)?.name ?? name;
}

/** What the law asks: the merchant's own policy, and those of countries. */
export function PoliciesTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const save = useSave();
  const [open, setOpen] = useState<Open | null>(null);
  const { data: countries = [] } = useQuery(countriesQuery);
  const close = () => setOpen(null);
  const rows = Object.entries(settings.policies).map(([name, policy]): Row => ({ name, policy }));
  return (
    <>
      <DataTable
        name="policies"
        label={t("settings.tab_policies")}
        columns={columnsOf(t, countries, mayWrite ? setOpen : undefined)}
        rows={rows}
        keyOf={({ name }) => name}
        empty={t("settings.none")}
        note={t("settings.policies_text")}
        paging={
          mayWrite && (
            <Button
              size="sm"
              className="justify-self-start"
              onClick={() => setOpen({ kind: "edit", name: null })}
            >
              {t("settings.policy_add")}
            </Button>
          )
        }
      />
      {open?.kind === "edit" && (
        <PolicyDialog
          settings={settings}
          name={open.name}
          countries={countries}
          onRemove={(name) => setOpen({ kind: "remove", name })}
          onClose={close}
        />
      )}
      {open?.kind === "remove" && (
        <ReasonDialog
          title={t("settings.policy_remove", placeText(open.name, countries, t))}
          text={t("settings.policy_remove_text")}
          action={t("settings.remove")}
          onClose={close}
          onSave={(reason) =>
            save(() =>
              changeSetting(settings.id, {
                kind: "policy",
                name: open.name,
                seen: settings.policies[open.name] ?? null,
                value: null,
                reason,
              }),
            )
          }
        />
      )}
    </>
  );
}

function columnsOf(
  t: Translate,
  countries: readonly Country[],
  onOpen: ((open: Open) => void) | undefined,
): readonly Column<Row>[] {
  return [
    {
      id: "place",
      label: t("settings.place"),
      isFixed: true,
      cell: ({ name }) =>
        onOpen ? (
          <button
            type="button"
            onClick={() => onOpen({ kind: "edit", name })}
            className="row-link min-h-11 text-left font-semibold underline-offset-4 hover:underline"
            {...(name !== own && { "data-name": true })}
          >
            {placeText(name, countries, t)}
          </button>
        ) : (
          <span {...(name !== own && { "data-name": true })}>{placeText(name, countries, t)}</span>
        ),
    },
    { id: "age", label: t("settings.minimum_age"), cell: ({ policy }) => policy.minimumAge },
    {
      id: "days",
      label: t("settings.password_days"),
      cell: ({ policy }) => policy.passwordDays ?? t("settings.never"),
    },
    {
      id: "dialing",
      label: t("settings.dialing_code"),
      cell: ({ policy }) => (policy.dialingCode ? `+${policy.dialingCode}` : "–"),
    },
    {
      id: "closed",
      label: t("settings.closed_there"),
      cell: ({ policy: { restricted, closedCategories = [] } }) =>
        restricted ? t("settings.restricted") : closedCategories.join(", ") || "–",
    },
  ];
}
