import { type ToggleEvent, useId, useRef } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { type Choice, isShown } from "./choice";

type Choosable = { id: string; label: string; isFixed?: boolean; isExtra?: boolean };
type ColumnMenuProps = {
  columns: readonly Choosable[];
  choice: Choice;
  onChoose: (id: string, shown: boolean) => void;
};

/** Which columns are shown. */
export function ColumnMenu({ columns, choice, onChoose }: ColumnMenuProps) {
  const t = useT();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const box = button.current?.getBoundingClientRect();
    if (newState !== "open" || !box) return;
    currentTarget.style.top = `${box.bottom + 4}px`;
    currentTarget.style.right = `${document.documentElement.clientWidth - box.right}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="inline-flex min-h-11 items-center gap-1 px-2 text-sm text-muted hover:text-ink"
      >
        {t("office.columns")}
        <Icon name="down" className="size-4" />
      </button>
      <div id={id} popover="auto" onBeforeToggle={place} className="menu w-60 p-2">
        <fieldset>
          <legend className="sr-only">{t("office.columns")}</legend>
          {columns.map((column) => (
            <label key={column.id} className="flex min-h-11 items-center gap-3 px-2 text-sm">
              <input
                type="checkbox"
                className="check"
                disabled={column.isFixed}
                checked={isShown(column, choice)}
                onChange={(event) => onChoose(column.id, event.target.checked)}
              />
              {column.label}
            </label>
          ))}
        </fieldset>
      </div>
    </>
  );
}
