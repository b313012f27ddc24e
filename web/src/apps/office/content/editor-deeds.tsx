import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";
import { useAddress, useGo } from "../address";
import { ReasonDialog } from "../reason-dialog";
import { type ContentRow, contentKey, removeContent, restoreContent } from "./api";
import { titleOf } from "./draft";
import { HistoryDialog } from "./history-dialog";
import type { KindId } from "./kinds";

type EditorDeedsProps = {
  merchant: string;
  kind: KindId;
  row: ContentRow;
  mayWrite: boolean;
  /** Nothing is left to be saved. */
  onGone: () => void;
};

/** What can be done with a piece beside writing it. */
export function EditorDeeds({ merchant, kind, row, mayWrite, onGone }: EditorDeedsProps) {
  const t = useT();
  const lang = useLang();
  const go = useGo();
  const client = useQueryClient();
  const { merchant: code } = useAddress();
  const [open, setOpen] = useState<"history" | "remove" | null>(null);
  const close = () => setOpen(null);
  const reload = () => client.invalidateQueries({ queryKey: contentKey });
  const bringBack = async () => {
    const { version } = row;
    const reason = t("edit.brought_back");
    try {
      await restoreContent(merchant, row.id, { version, seenVersion: version + 1, reason });
      await reload();
    } catch (error) {
      toast(errorText(error, t), "bad");
    }
  };
  const remove = async (reason: string) => {
    await removeContent(merchant, row.id, { seenVersion: row.version, reason });
    onGone();
    toast(t("edit.removed"), "good", { label: t("edit.bring_back"), run: () => void bringBack() });
    go("/content", { merchant: code, kind });
    await reload();
  };
  return (
    <div className="ml-auto flex flex-wrap gap-3">
      <Button size="sm" onClick={() => setOpen("history")}>
        {t("edit.history")}
      </Button>
      {mayWrite && (
        <Button size="sm" variant="quiet" onClick={() => setOpen("remove")}>
          {t("edit.remove")}
        </Button>
      )}
      {open === "history" && (
        <HistoryDialog merchant={merchant} row={row} mayWrite={mayWrite} onClose={close} />
      )}
      {open === "remove" && (
        <ReasonDialog
          title={t("edit.remove_title", titleOf(row, lang))}
          text={t("edit.remove_text")}
          action={t("edit.remove")}
          onReason={remove}
          onClose={close}
        />
      )}
    </div>
  );
}
