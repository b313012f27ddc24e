import { useLanguageTag } from "@/lib/i18n/i18n";
import { formatMoney } from "@/lib/money/money";

/** An amount in condensed, equal-width digits. */
export function Money({
  value,
  currency,
  className = "",
}: {
  value: string;
  currency: string;
  className?: string;
}) {
  const tag = useLanguageTag();
  return <span className={`figures ${className}`}>{formatMoney(value, currency, tag)}</span>;
}
