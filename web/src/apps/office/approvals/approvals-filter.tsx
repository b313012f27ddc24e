import { useT } from "@/lib/i18n/i18n";
import { useAddress, useChangeSearch } from "../address";
import { SelectField } from "../select-field";
import { readFilter } from "./filter";
import { kindText, kinds, stateText, states } from "./sentence";

/** What is looked for stands in the address, so that it can be kept and sent to others. */
export function ApprovalsFilter() {
  const t = useT();
  const change = useChangeSearch();
  const { state, kind, by } = readFilter(useAddress());
  // Other rows have other pages.
  const set = (part: Record<string, string>) => change({ ...part, before: undefined });
  return (
    <search className="grid grid-cols-2 items-start gap-3 pb-2 sm:grid-cols-3 xl:max-w-3xl">
      <SelectField
        label={t("approvals.state")}
        value={state}
        onChange={(value) => set({ state: value === "open" ? "" : value })}
        options={[
          ...states.map((value) => ({ value, label: stateText(value, t) })),
          { value: "all", label: t("approvals.state_all") },
        ]}
      />
      <SelectField
        label={t("approvals.kind")}
        value={kind}
        onChange={(value) => set({ kind: value })}
        options={[
          { value: "", label: t("approvals.kind_any") },
          ...kinds.map((value) => ({ value, label: kindText(value, t) })),
        ]}
      />
      <SelectField
        label={t("approvals.by")}
        value={by}
        onChange={(value) => set({ by: value })}
        options={[
          { value: "", label: t("approvals.by_all") },
          { value: "others", label: t("approvals.by_others") },
          { value: "me", label: t("approvals.by_me") },
        ]}
      />
    </search>
  );
}
