import { useEffect } from "react";
import { create } from "zustand";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "./icon";
import { IconButton } from "./icon-button";

export type ToastKind = "good" | "info" | "bad";
/** Something to do about a message. */
export type ToastAction = { label: string; run: () => void };
type ToastItem = { id: number; kind: ToastKind; text: string; action?: ToastAction };

const useToasts = create<{ items: readonly ToastItem[] }>(() => ({ items: [] }));
const shownFor = 7000;
/** What can be done must be reached, too. */
const shownWithActionFor = 15_000;
let nextId = 1;

/** Shows a short message for a while. The text is already translated. */
export function toast(text: string, kind: ToastKind = "info", action?: ToastAction): void {
  useToasts.setState(({ items }) => ({
    items: [...items.slice(-2), { id: nextId++, kind, text, ...(action && { action }) }],
  }));
}

function dismiss(id: number): void {
  useToasts.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
}

const icons = { good: "check", info: "info", bad: "alert" } as const;
const marks = { good: "text-win", info: "text-accent-text", bad: "text-live-text" } as const;

function Toast({ item }: { item: ToastItem }) {
  const t = useT();
  const { action } = item;
  useEffect(() => {
    const timer = setTimeout(() => dismiss(item.id), action ? shownWithActionFor : shownFor);
    return () => clearTimeout(timer);
  }, [item.id, action]);
  return (
    <li className="toast leaf pointer-events-auto flex items-center gap-3 border border-line-strong bg-raised py-1 pr-1 pl-4">
      <Icon name={icons[item.kind]} className={`size-5 shrink-0 ${marks[item.kind]}`} />
      <div className="grow py-2 text-sm">
        <p>{item.text}</p>
        {action && (
          <button
            type="button"
            className="min-h-11 text-left font-semibold text-accent-text underline underline-offset-4"
            onClick={() => {
              dismiss(item.id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <IconButton icon="close" label={t("toast.dismiss")} onClick={() => dismiss(item.id)} />
    </li>
  );
}

/**
 * The messages, as a polite live region: below the header, and on narrow screens beside the button that closes a popup,
 * wherever that is. Rendered once: on the page or in the topmost popup.
 */
export function Toasts() {
  const items = useToasts((state) => state.items);
  return (
    <ul
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-18 z-50 mx-auto grid max-w-md gap-2 max-lg:in-[dialog]:top-4 max-lg:in-[dialog]:right-20 max-lg:in-[dialog]:ml-0 lg:top-20 lg:right-6 lg:left-auto lg:w-96"
    >
      {items.map((item) => (
        <Toast key={item.id} item={item} />
      ))}
    </ul>
  );
}
