import { useT } from "@/lib/i18n/i18n";
import { TextFilter } from "./text-filter";

type Dates = { from: string; until: string };
type DatesFilterProps = { value: Dates; onChange: (part: Partial<Dates>) => void };

/** From which day until which, both included. Two fields of whatever grid they stand in. */
export function DatesFilter({ value, onChange }: DatesFilterProps) {
  const t = useT();
  return (
    <>
      <TextFilter
        type="date"
        label={t("office.from")}
        value={value.from}
        onSettle={(from) => onChange({ from })}
      />
      <TextFilter
        type="date"
        label={t("office.until")}
        value={value.until}
        onSettle={(until) => onChange({ until })}
      />
    </>
  );
}
