import { useState } from "react";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { type Column, DataTable } from "../table/data-table";
import type { FieldRow } from "./api";
import { fieldText, inFormOrder, shapeText } from "./fields";
import { RuleDialog } from "./rule-dialog";
import type { TabProps } from "./site-tab";

type Row = FieldRow & { name: string };

/** What the registration form asks, field by field. */
export function RegistrationTab({ settings, mayWrite }: TabProps) {
  const t = useT();
  const [chosen, setChosen] = useState<string | null>(null);
  const { registerRules } = settings;
  const rows = inFormOrder(Object.keys(registerRules)).flatMap((name): Row[] => {
    const field = registerRules[name];
    return field ? [{ ...field, name }] : [];
  });
  const field = chosen === null ? undefined : registerRules[chosen];
  return (
    <>
      <DataTable
        name="register-rules"
        label={t("settings.tab_registration")}
        columns={columnsOf(t, mayWrite ? setChosen : undefined)}
        rows={rows}
        keyOf={({ name }) => name}
        empty={t("settings.none")}
        note={t("settings.registration_text")}
      />
      {chosen !== null && field && (
        <RuleDialog
          settings={settings}
          name={chosen}
          field={field}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

function columnsOf(
  t: Translate,
  onOpen: ((name: string) => void) | undefined,
): readonly Column<Row>[] {
  const yesNo = (is: boolean) => (
    <span className={is ? "text-win" : "text-muted"}>{t(is ? "office.yes" : "office.no")}</span>
  );
  return [
    {
      id: "field",
      label: t("settings.field"),
      isFixed: true,
      cell: ({ name }) =>
        onOpen ? (
          <button
            type="button"
            onClick={() => onOpen(name)}
            className="row-link min-h-11 text-left font-semibold underline-offset-4 hover:underline"
          >
            {fieldText(name, t)}
          </button>
        ) : (
          fieldText(name, t)
        ),
    },
    {
      id: "name",
      label: t("settings.field_name"),
      cell: ({ name }) => <code className="font-mono text-xs text-muted">{name}</code>,
    },
    { id: "enabled", label: t("settings.rule_enabled"), cell: ({ rule }) => yesNo(rule.enabled) },
    {
      id: "required",
      label: t("settings.rule_required"),
      cell: ({ rule }) => (rule.enabled ? yesNo(rule.required) : "–"),
    },
    {
      id: "shape",
      label: t("settings.rule_shape"),
      cell: ({ rule }) => <span className="text-sm">{shapeText(rule, t)}</span>,
    },
  ];
}
