import { useEffect, useId, useRef, useState } from "react";
import type { Menu } from "@/lib/api/types";
import { type Key, useT } from "@/lib/i18n/i18n";
import { imageAddress } from "@/lib/images";
import { Icon } from "@/ui/icon";
import { type Filters, type Label, type Sort, labels, sorts } from "../filters";

export const labelNames: Readonly<Record<Label, Key>> = {
  JP: "cat.label_jp",
  SC: "cat.label_sc",
  VP: "cat.label_vp",
  TG: "cat.label_tg",
  AC: "cat.label_ac",
  BG: "cat.label_bg",
};
const sortNames: Readonly<Record<Sort, Key>> = {
  popular: "cat.sort_popular",
  name: "cat.sort_name",
  newest: "cat.sort_newest",
};

type FilterBarProps = {
  menu: Menu;
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
};

/** Vendors as tabs, kinds of games as chips, a search and an order. */
export function FilterBar({ menu, filters, onChange }: FilterBarProps) {
  const t = useT();
  const shown = labels.filter((label) => menu.labels[label]);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        <SearchField value={filters.q} onSearch={(q) => onChange({ q })} />
        <select
          aria-label={t("cat.sort")}
          value={filters.sort}
          onChange={(event) => onChange({ sort: event.target.value as Sort })}
          className="select leaf min-h-11 border border-line bg-surface pl-3 text-sm hover:border-line-strong"
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {t(sortNames[sort])}
            </option>
          ))}
        </select>
      </div>
      {menu.vendors.length > 1 && (
        <Choices label={t("cat.vendors")}>
          <Choice on={!filters.vassalage} onPress={() => onChange({ vassalage: "" })}>
            {t("cat.all_vendors")}
          </Choice>
          {menu.vendors.map((vendor) => (
            <Choice
              key={vendor.vassalage}
              on={filters.vassalage === vendor.vassalage}
              onPress={() => onChange({ vassalage: vendor.vassalage })}
            >
              <img
                src={imageAddress(vendor.images.color)}
                alt=""
                className="h-4 w-12 object-contain"
              />
              <span data-name="">{vendor.displayName}</span>
            </Choice>
          ))}
        </Choices>
      )}
      {shown.length > 1 && (
        <Choices label={t("cat.kinds")}>
          <Choice on={!filters.label} onPress={() => onChange({ label: "" })}>
            {t("cat.all_kinds")}
          </Choice>
          {shown.map((label) => (
            <Choice
              key={label}
              on={filters.label === label}
              onPress={() => onChange({ label: filters.label === label ? "" : label })}
            >
              {t(labelNames[label])}
              <span className="figures text-xs opacity-75">{menu.labels[label]}</span>
            </Choice>
          ))}
        </Choices>
      )}
    </div>
  );
}

function Choices({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div role="group" aria-label={label} className="choices -mx-4 flex gap-2 px-4 lg:-mx-7 lg:px-7">
      {children}
    </div>
  );
}

type ChoiceProps = { on: boolean; onPress: () => void; children: React.ReactNode };

function Choice({ on, onPress, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onPress}
      className={`leaf inline-flex min-h-11 shrink-0 items-center gap-2 border px-4 text-sm font-semibold whitespace-nowrap ${on ? "border-ink bg-ink text-canvas" : "border-line text-muted hover:border-line-strong hover:text-ink"}`}
    >
      {children}
    </button>
  );
}

const pauseMs = 250;

type SearchFieldProps = { value: string; onSearch: (text: string) => void; focused?: boolean };

/** Searches while somebody types, after a short pause. */
export function SearchField({ value, onSearch, focused = false }: SearchFieldProps) {
  const t = useT();
  const id = useId();
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address was changed by somebody else: a link, or the way back.
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onSearch(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what is typed starts the pause anew
  }, [typed]);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  return (
    <div className="relative min-w-0 flex-[1_1_11rem] sm:max-w-96">
      <label htmlFor={id} className="sr-only">
        {t("cat.search")}
      </label>
      <Icon name="search" className="pointer-events-none absolute top-3 left-3 size-5 text-muted" />
      <input
        ref={input}
        id={id}
        type="search"
        maxLength={64}
        autoComplete="off"
        value={typed}
        placeholder={t("cat.search")}
        onChange={(event) => setTyped(event.target.value)}
        className="leaf min-h-11 w-full border border-line bg-surface pr-3 pl-10 hover:border-line-strong"
      />
    </div>
  );
}
