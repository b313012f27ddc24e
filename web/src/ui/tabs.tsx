import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";

type TabsProps<T extends string> = {
  label: string;
  tabs: readonly { id: T; label: string }[];
  current: T;
  onChange: (id: T) => void;
  children: ReactNode;
};

/** A choice between forms: one tab stop, the arrow keys go from tab to tab. With one tab there is nothing to choose. */
export function Tabs<T extends string>({ label, tabs, current, onChange, children }: TabsProps<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    // Something else than a tab has turned the page, and gone with it.
    if (document.activeElement === document.body) {
      list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    }
  }, [current]);
  if (tabs.length < 2) return children;
  const step = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const at = tabs.findIndex((tab) => tab.id === current);
    const next = (at + move + tabs.length) % tabs.length;
    const chosen = tabs[next];
    if (!chosen) return;
    event.preventDefault();
    onChange(chosen.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="grid auto-cols-fr grid-flow-col border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
            onKeyDown={step}
            className="-mb-px min-h-12 border-b-2 border-transparent px-2 text-sm font-semibold text-muted hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
