import { useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { useAddress, useGo } from "../address";
import type { Person } from "../api";
import { SelectField } from "../select-field";
import { actionNames, actionText } from "./actions";
import { readFilter } from "./filter";

/** What is looked for stands in the address, so that it can be kept and sent to others. */
export function TrailFilter({ people }: { people: readonly Person[] | undefined }) {
  const t = useT();
  const go = useGo();
  const list = useId();
  const filter = readFilter(useAddress());
  const set = (change: Partial<typeof filter>) => go("/trail", { ...filter, ...change }, true);
  const known = [...new Set([...Object.keys(actionNames), filter.action])].filter(Boolean);
  const isEmpty = Object.values(filter).every((text) => text === "");
  return (
    <search className="grid grid-cols-2 items-start gap-3 pb-2 xl:grid-cols-5">
      <Field
        label={t("office.actor")}
        list={list}
        autoComplete="off"
        value={filter.actor}
        onChange={(event) => set({ actor: event.target.value })}
      />
      <datalist id={list}>
        {people?.map(({ id, username, name }) => (
          <option data-name key={id} value={username}>
            {name}
          </option>
        ))}
      </datalist>
      <SelectField
        label={t("office.action")}
        value={filter.action}
        onChange={(action) => set({ action })}
        options={[
          { value: "", label: t("office.action_any") },
          ...known.map((action) => ({ value: action, label: actionText(action, t) })),
        ]}
      />
      <Field
        className="max-xl:col-span-2"
        label={t("office.subject")}
        hint={t("office.subject_hint")}
        autoComplete="off"
        value={filter.subject}
        onChange={(event) => set({ subject: event.target.value })}
      />
      <Field
        type="date"
        label={t("office.from")}
        value={filter.from}
        onChange={(event) => set({ from: event.target.value })}
      />
      <Field
        type="date"
        label={t("office.until")}
        value={filter.until}
        onChange={(event) => set({ until: event.target.value })}
      />
      {!isEmpty && (
        <Button size="sm" className="self-center justify-self-start" onClick={() => go("/trail")}>
          {t("office.filter_clear")}
        </Button>
      )}
    </search>
  );
}
