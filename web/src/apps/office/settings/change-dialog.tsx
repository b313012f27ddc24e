import { Suspense, lazy, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Skeleton } from "@/ui/skeleton";
import { OfficeLink, useAddress } from "../address";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { type Change, undoChange } from "./api";
import { settingText } from "./history";
import { ReasonDialog } from "./reason-dialog";
import { useSave } from "./save";
import { searchOf } from "./tabs";

const DifferenceView = lazy(() => loadPart(() => import("../trail/difference-view")));

type ChangeDialogProps = { change: Change; mayUndo: boolean; onClose: () => void };

/** One change: what it was, and the way back. */
export function ChangeDialog({ change, mayUndo, onClose }: ChangeDialogProps) {
  const t = useT();
  const save = useSave();
  const address = useAddress();
  const [undoes, setUndoes] = useState(false);
  const { id, kind, name, canUndo } = change;
  if (undoes) {
    return (
      <ReasonDialog
        title={t("settings.undo")}
        text={t("settings.undo_text", settingText(change, t))}
        action={t("settings.undo")}
        onClose={onClose}
        onSave={(reason) => save(() => undoChange(id, reason))}
      />
    );
  }
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>
          <span data-name>{settingText(change, t)}</span>
        </DialogTitle>
        <Facts>
          <Fact label={t("office.seq")}>{change.seq}</Fact>
          <Fact label={t("office.at")}>{timeText(change.at)}</Fact>
          <Fact label={t("office.actor")}>
            <span data-name>{change.actor}</span>
          </Fact>
          <Fact label={t("office.reason")}>
            <span data-name>{change.reason}</span>
          </Fact>
        </Facts>
        <Suspense fallback={<Skeleton className="h-24" />}>
          <DifferenceView before={change.before} after={change.after} />
        </Suspense>
        <div className="grid justify-items-start gap-3 border-t border-line pt-3">
          {mayUndo && canUndo && (
            <Button size="sm" onClick={() => setUndoes(true)}>
              {t("settings.undo")}
            </Button>
          )}
          {!canUndo && <p className="text-sm text-muted">{t("settings.no_undo")}</p>}
          <OfficeLink
            to="/settings"
            search={{ ...searchOf("history", address), kind, ...(name && { name }) }}
            onClick={onClose}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {t("settings.of_setting")}
          </OfficeLink>
        </div>
      </div>
    </Dialog>
  );
}
