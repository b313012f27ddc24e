import { useQuery } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { useAddress, useChangeSearch } from "../address";
import { SelectField } from "../select-field";
import { TextFilter } from "../text-filter";
import { type OfficeMerchant, vendorsQuery } from "./api";
import { readGames } from "./filter";

/** What is looked for stands in the address. */
export function GamesFilter({ merchants }: { merchants: readonly OfficeMerchant[] }) {
  const t = useT();
  const filter = readGames(useAddress());
  const change = useChangeSearch();
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const set = (part: Partial<typeof filter>) => change({ ...part, page: undefined });
  return (
    <search className="grid grid-cols-2 items-start gap-3 pb-2 xl:grid-cols-[2fr_1fr_1fr_1fr]">
      <TextFilter
        type="search"
        className="max-xl:col-span-full"
        label={t("offer.find")}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={filter.q}
        onSettle={(q) => set({ q })}
      />
      <SelectField
        label={t("offer.site")}
        value={filter.merchant}
        onChange={(merchant) => set({ merchant })}
        options={[
          { value: "", label: t("offer.all_sites") },
          ...merchants.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t("offer.vendor")}
        value={filter.vassalage}
        onChange={(vassalage) => set({ vassalage })}
        options={[
          { value: "", label: t("offer.all_vendors") },
          ...vendors.map(({ vassalage, value }) => ({
            value: vassalage,
            label: value.displayName,
          })),
        ]}
      />
      <SelectField
        label={t("offer.state")}
        value={filter.state}
        onChange={(state) => set({ state })}
        options={[
          { value: "", label: t("offer.any_state") },
          { value: "maintenance", label: t("offer.maintenance") },
          ...(filter.merchant ? [{ value: "hidden", label: t("offer.hidden") }] : []),
        ]}
      />
    </search>
  );
}
