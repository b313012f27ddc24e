import { type ReactNode, useId } from "react";
import { Icon } from "./icon";

export type AccordionItem = { id: string; title: ReactNode; note?: ReactNode; body: ReactNode };

type AccordionProps = {
  /** Several lists of one name have one open among all of them. */
  group?: string;
  items: readonly AccordionItem[];
  /** The one that is open at first. */
  open?: string | undefined;
  onOpen?: (id: string) => void;
};

/** Titles that unfold. One is open at a time, which the browser sees to; a press on the open one closes it. */
export function Accordion({ group, items, open, onOpen }: AccordionProps) {
  const own = useId();
  return (
    <div className="grid grid-cols-1 divide-y divide-line border-y border-line">
      {items.map(({ id, title, note, body }) => (
        <details
          key={id}
          name={group ?? own}
          open={id === open}
          onToggle={(event) => {
            if (event.currentTarget.open) onOpen?.(id);
          }}
          className="group min-w-0"
        >
          <summary className="flex min-h-14 list-none items-center gap-3 py-2.5 [&::-webkit-details-marker]:hidden">
            <span className="grid min-w-0 grow gap-0.5">
              <span data-name className="font-semibold">
                {title}
              </span>
              {note !== undefined && <span className="text-sm text-muted">{note}</span>}
            </span>
            <Icon
              name="down"
              className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="pr-8 pb-5">{body}</div>
        </details>
      ))}
    </div>
  );
}
