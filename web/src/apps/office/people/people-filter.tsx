import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { useAddress, useChangeSearch } from "../address";
import { rolesQuery } from "../api";
import { roleText } from "../rights";
import { SelectField } from "../select-field";
import { TextFilter } from "../text-filter";
import { readFilter } from "./filter";

const states = [
  { value: "active", label: "office.state_active" },
  { value: "closed", label: "office.state_closed" },
  { value: "all", label: "office.state_all" },
] as const;

/** Roles and states stand in the address, so that they can be kept and sent to others; names do not. */
export function PeopleFilter() {
  const t = useT();
  const set = useChangeSearch();
  const { who, role, state } = readFilter(useAddress());
  const { data: roles } = useQuery(rolesQuery);
  return (
    <search className="grid grid-cols-2 items-start gap-3 pb-2 sm:grid-cols-3 xl:max-w-4xl">
      <TextFilter
        type="search"
        className="max-sm:col-span-full"
        label={t("office.person_find")}
        value={who}
        onSettle={(typed) => set({ who: typed })}
      />
      <SelectField
        label={t("office.role")}
        value={role}
        onChange={(value) => set({ role: value })}
        options={[
          { value: "", label: t("office.role_any") },
          ...(roles ?? []).map(({ name }) => ({ value: name, label: roleText(name, t) })),
        ]}
      />
      <SelectField
        label={t("office.state")}
        value={state}
        onChange={(value) => set({ state: value === "active" ? "" : value })}
        options={states.map(({ value, label }) => ({ value, label: t(label) }))}
      />
    </search>
  );
}
