import type { ReactNode } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { timeText } from "../clock";
import type { ContentRow } from "./api";

function Note({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div role="status" className="leaf grid gap-3 border border-accent p-4">
      <p>{text}</p>
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  );
}

/** What was written before a reload, or before the session was over, is here again. */
export function BackNote({ onLoad }: { onLoad: () => void }) {
  const t = useT();
  return (
    <Note text={t("edit.is_back")}>
      <Button size="sm" onClick={onLoad}>
        {t("edit.give_up")}
      </Button>
    </Note>
  );
}

type BehindNoteProps = { row: ContentRow; onLoad: () => void; onKeep: () => void };

/** Somebody else has changed the piece meanwhile: who, when, and what can be done about it. */
export function BehindNote({ row, onLoad, onKeep }: BehindNoteProps) {
  const t = useT();
  return (
    <Note text={t("edit.behind", row.updatedBy, timeText(row.updatedAt))}>
      <Button size="sm" onClick={onLoad}>
        {t("edit.load_theirs")}
      </Button>
      <Button size="sm" variant="quiet" onClick={onKeep}>
        {t("edit.keep_mine")}
      </Button>
    </Note>
  );
}
