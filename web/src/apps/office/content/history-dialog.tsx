import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { timeText } from "../clock";
import { ListFault } from "../page-states";
import { ReasonForm } from "../reason-dialog";
import DifferenceView from "../trail/difference-view";
import {
  type ContentRow,
  type ContentVersion,
  contentKey,
  restoreContent,
  versionsQuery,
} from "./api";
import { titleOf } from "./draft";

type HistoryDialogProps = {
  merchant: string;
  row: ContentRow;
  mayWrite: boolean;
  onClose: () => void;
};

/** How a piece was before, who changed it and why, and the way back. */
export function HistoryDialog({ merchant, row, mayWrite, onClose }: HistoryDialogProps) {
  const t = useT();
  const lang = useLang();
  const { data, error, refetch } = useQuery(versionsQuery(merchant, row.id));
  const versions = data?.toSorted((a, b) => b.version - a.version);
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>{t("edit.history_of", titleOf(row, lang))}</DialogTitle>
        {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-48" />}
        <ol className="grid">
          {versions?.map((version, index) => (
            <Version
              key={version.version}
              merchant={merchant}
              row={row}
              version={version}
              before={versions[index + 1]}
              mayRestore={mayWrite && version.version !== row.version}
              onClose={onClose}
            />
          ))}
        </ol>
      </div>
    </Dialog>
  );
}

type VersionProps = {
  merchant: string;
  row: ContentRow;
  version: ContentVersion;
  before: ContentVersion | undefined;
  mayRestore: boolean;
  onClose: () => void;
};

function Version({ merchant, row, version, before, mayRestore, onClose }: VersionProps) {
  const t = useT();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const restore = async (reason: string) => {
    const body = { version: version.version, seenVersion: row.version, reason };
    // Whoever was too late sees how it is by now.
    await restoreContent(merchant, row.id, body).finally(
      () => void client.invalidateQueries({ queryKey: contentKey }),
    );
  };
  return (
    <li className="border-b border-line py-2">
      <details name="versions">
        <summary className="grid min-h-11 content-center">
          <span className="font-semibold">
            {t("edit.version_line", version.version, timeText(version.at))}
          </span>
          <span className="text-sm text-muted">
            <span data-name>{version.actor}</span> {"·"} <span data-name>{version.reason}</span>
          </span>
        </summary>
        <div className="grid gap-3 py-3">
          <DifferenceView before={textOf(before)} after={textOf(version)} />
          {mayRestore && !asks && version.value && (
            <Button size="sm" className="justify-self-start" onClick={() => setAsks(true)}>
              {t("edit.restore")}
            </Button>
          )}
          {asks && (
            <ReasonForm
              action={t("edit.restore")}
              onReason={restore}
              onDone={() => {
                toast(t("settings.saved"), "good");
                onClose();
              }}
            />
          )}
        </div>
      </details>
    </li>
  );
}

const textOf = (version: ContentVersion | undefined) =>
  version?.value ? JSON.stringify(version.value) : null;
