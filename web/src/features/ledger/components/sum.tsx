import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal, formatMoney } from "@/lib/money/money";

/** Writes amounts of any currency of the ledger; points are counted, not paid. */
export function useSumText(): (value: string, currency: string) => string {
  const t = useT();
  const tag = useLanguageTag();
  return (value, currency) =>
    currency === "PTS"
      ? t("ledger.points", formatDecimal(value, tag))
      : formatMoney(value, currency, tag);
}
