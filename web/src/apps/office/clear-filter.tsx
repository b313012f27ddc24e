import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";

type ClearFilterProps = { className: string; onClear: () => void };

/** Empties what is looked for. It goes with that, and the focus goes on at the first field. */
export function ClearFilter({ className, onClear }: ClearFilterProps) {
  const t = useT();
  return (
    <Button
      size="sm"
      className={className}
      onClick={({ currentTarget }) => {
        const search = currentTarget.closest("search");
        search?.querySelector<HTMLElement>("input, select")?.focus();
        onClear();
      }}
    >
      {t("office.filter_clear")}
    </Button>
  );
}
