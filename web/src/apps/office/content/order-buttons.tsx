import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { errorText } from "@/lib/api/error-text";
import { useLang, useT } from "@/lib/i18n/i18n";
import { IconButton } from "@/ui/icon-button";
import { toast } from "@/ui/toast";
import { type ContentRow, contentQuery, orderContent } from "./api";
import { titleOf } from "./draft";
import type { KindId } from "./kinds";
import { moved } from "./places";

type OrderButtonsProps = {
  merchant: string;
  kind: KindId;
  row: ContentRow;
  /** All of the kind in their order, and those that are shown. */
  all: readonly ContentRow[];
  shown: readonly ContentRow[];
};

/** Moves a piece up or down among those of its place. The focus goes along. */
export function OrderButtons({ merchant, kind, row, all, shown }: OrderButtonsProps) {
  const t = useT();
  const lang = useLang();
  const client = useQueryClient();
  const box = useRef<HTMLSpanElement>(null);
  // A row that has moved in the document has lost the focus on its way.
  const focusAgain = (step: -1 | 1) => {
    const buttons = [...(box.current?.querySelectorAll("button") ?? [])];
    const wanted = buttons[step === -1 ? 0 : 1];
    (wanted?.disabled ? buttons.find(({ disabled }) => !disabled) : wanted)?.focus();
  };
  const move = useMutation({
    mutationFn: ({ ids }: { ids: string[]; step: -1 | 1 }) =>
      orderContent(merchant, { kind, slot: row.slot, ids }),
    onSuccess: async (_, { step }) => {
      await client.invalidateQueries(contentQuery(merchant, kind));
      requestAnimationFrame(() => focusAgain(step));
    },
    onError: (error) => toast(errorText(error, t), "bad"),
  });
  const button = (step: -1 | 1) => {
    const ids = moved(all, shown, row, kind, step);
    const name = titleOf(row, lang);
    return (
      <IconButton
        icon="down"
        label={t(step === -1 ? "edit.move_up" : "edit.move_down", name)}
        disabled={ids === null}
        onClick={() => {
          if (ids && !move.isPending) move.mutate({ ids, step });
        }}
        className={`disabled:opacity-30 ${step === -1 ? "[&_svg]:rotate-180" : ""}`}
      />
    );
  };
  return (
    <span ref={box} className="relative z-1 flex">
      {button(-1)}
      {button(1)}
    </span>
  );
}
