import { useT } from "@/lib/i18n/i18n";
import { useAddress, useChangeSearch, useGo } from "../address";
import { ClearFilter } from "../clear-filter";
import { SelectField } from "../select-field";
import { TextFilter } from "../text-filter";
import { readMembers } from "./filter";
import { stateNames, stateText } from "./texts";

const kinds = [
  { value: "", label: "members.kind_real" },
  { value: "member", label: "members.kind_member" },
  { value: "agent", label: "members.kind_agent" },
  { value: "trial", label: "members.kind_trial" },
] as const;

type MembersFilterProps = { merchants: readonly { code: string; name: string }[] };

/** States, kinds and sites stand in the address, so that they can be kept and sent to others; names and numbers do not. */
export function MembersFilter({ merchants }: MembersFilterProps) {
  const t = useT();
  const go = useGo();
  const filter = readMembers(useAddress());
  const change = useChangeSearch();
  // Other members have other pages.
  const set = (part: Partial<typeof filter>) => change({ ...part, after: undefined });
  const isEmpty = Object.values(filter).every((text) => text === "");
  return (
    <search className="grid grid-cols-2 items-start gap-3 pb-2 md:grid-cols-3 xl:grid-cols-[2fr_1fr_1fr_1fr_auto]">
      <TextFilter
        type="search"
        className="max-xl:col-span-full"
        label={t("members.find")}
        hint={t("members.find_hint")}
        autoComplete="off"
        spellCheck={false}
        value={filter.who}
        onSettle={(who) => set({ who })}
      />
      <SelectField
        label={t("members.state")}
        value={filter.state}
        onChange={(state) => set({ state })}
        options={[
          { value: "", label: t("members.state_any") },
          ...stateNames.map((state) => ({ value: state, label: stateText(state, t) })),
        ]}
      />
      <SelectField
        label={t("members.kind")}
        value={filter.kind}
        onChange={(kind) => set({ kind })}
        options={kinds.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      <SelectField
        label={t("members.merchant")}
        value={filter.merchant}
        onChange={(merchant) => set({ merchant })}
        options={[
          { value: "", label: t("members.merchant_any") },
          ...merchants.map(({ code, name }) => ({ value: code, label: name })),
        ]}
      />
      {/* Beside the fields its place is kept: they would grow narrower, and a hint higher, while one types. */}
      <ClearFilter
        className={`self-start justify-self-start xl:mt-7 ${isEmpty ? "max-xl:hidden xl:invisible" : ""}`}
        onClear={() => go("/members")}
      />
    </search>
  );
}
