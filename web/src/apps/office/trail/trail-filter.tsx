import { useId } from "react";
import { useT } from "@/lib/i18n/i18n";
import { type Search, useAddress, useChangeSearch, useGo } from "../address";
import type { Person } from "../api";
import { ClearFilter } from "../clear-filter";
import { DatesFilter } from "../dates-filter";
import { SelectField } from "../select-field";
import { TextFilter } from "../text-filter";
import { actionNames, actionText } from "./actions";
import { readFilter, subjectSearch } from "./filter";

/** What is looked for: names, by whom and of whom it was, are not in the address. */
export function TrailFilter({ people }: { people: readonly Person[] | undefined }) {
  const t = useT();
  const go = useGo();
  const list = useId();
  const filter = readFilter(useAddress());
  const change = useChangeSearch();
  // Other rows have other pages.
  const set = (part: Search) => change({ ...part, before: undefined });
  const known = [...new Set([...Object.keys(actionNames), filter.action])].filter(Boolean);
  const isEmpty = Object.values(filter).every((text) => text === "");
  return (
    <search className="grid items-start gap-3 pb-2 min-[23rem]:grid-cols-2 xl:grid-cols-5">
      <TextFilter
        label={t("office.actor")}
        list={list}
        autoComplete="off"
        value={filter.actor}
        onSettle={(actor) => set({ actor })}
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
      <TextFilter
        className="max-xl:col-span-full"
        label={t("office.subject")}
        hint={t("office.subject_hint")}
        autoComplete="off"
        value={filter.subject}
        onSettle={(subject) => set(subjectSearch(subject))}
      />
      <DatesFilter value={filter} onChange={set} />
      {!isEmpty && (
        <ClearFilter className="self-center justify-self-start" onClear={() => go("/trail")} />
      )}
    </search>
  );
}
