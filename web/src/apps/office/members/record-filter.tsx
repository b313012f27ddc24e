import { reasonCodes, reasonKey } from "@/features/ledger/reasons";
import { useT } from "@/lib/i18n/i18n";
import { type FilePath, useAddress, useChangeSearch, useGo } from "../address";
import { ClearFilter } from "../clear-filter";
import { DatesFilter } from "../dates-filter";
import { SelectField } from "../select-field";
import { TextFilter } from "../text-filter";
import { readRecord } from "./filter";
import { accountText } from "./texts";

const accounts = [
  "main",
  "held",
  "bonus",
  "points",
  "house:games",
  "house:promotions",
  "house:bank",
  "house:corrections",
  "house:transit",
];

/** Reasons whose sentence names money that leaves the balance. */
const leaving = new Set([
  "stake",
  "withdrawal",
  "hold",
  "send",
  "vendor_in",
  "points_spent",
  "pool_in",
]);

/** Which transfers are looked for. */
export function RecordFilter({ path }: { path: FilePath }) {
  const t = useT();
  const go = useGo();
  const filter = readRecord(useAddress());
  const change = useChangeSearch();
  const set = (part: Partial<typeof filter>) => change({ ...part, before: undefined });
  const isEmpty = Object.values(filter).every((text) => text === "");
  const reasonText = (code: string) =>
    t(reasonKey(code, leaving.has(code) ? "out" : "in"), code === "reversal" ? "…" : "");
  return (
    <search className="grid grid-cols-2 items-start gap-3 lg:grid-cols-6">
      <SelectField
        label={t("members.reason")}
        value={filter.reason}
        onChange={(reason) => set({ reason })}
        options={[
          { value: "", label: t("office.action_any") },
          ...reasonCodes.map((code) => ({ value: code, label: reasonText(code) })),
        ]}
      />
      <SelectField
        label={t("members.on_account")}
        value={filter.account}
        onChange={(account) => set({ account })}
        options={[
          { value: "", label: t("members.account_any") },
          ...accounts.map((account) => ({ value: account, label: accountText(account, t) })),
        ]}
      />
      <DatesFilter value={filter} onChange={set} />
      <TextFilter
        inputMode="decimal"
        autoComplete="off"
        label={t("members.least")}
        value={filter.least}
        onSettle={(least) => set({ least })}
      />
      <TextFilter
        inputMode="decimal"
        autoComplete="off"
        label={t("members.most")}
        value={filter.most}
        onSettle={(most) => set({ most })}
      />
      {!isEmpty && (
        <ClearFilter className="justify-self-start" onClear={() => go(path, { tab: "wallet" })} />
      )}
    </search>
  );
}
