import { useLanguageTag } from "@/lib/i18n/i18n";
import { bytesText, spanText } from "./format";

/** A length of time; a dash where there is none. */
export function Span({ ms }: { ms: number | null | undefined }) {
  const tag = useLanguageTag();
  return (
    <span data-name className="whitespace-nowrap tabular-nums">
      {typeof ms === "number" ? spanText(ms, tag) : "–"}
    </span>
  );
}

/** A size; a dash where there is none. */
export function Bytes({ bytes }: { bytes: number | null | undefined }) {
  const tag = useLanguageTag();
  return (
    <span data-name className="whitespace-nowrap tabular-nums">
      {typeof bytes === "number" ? bytesText(bytes, tag) : "–"}
    </span>
  );
}
