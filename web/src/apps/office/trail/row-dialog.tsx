import { useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { OfficeLink } from "../address";
import type { Person, TrailRow } from "../api";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { actionText, actorText, subjectText } from "./actions";
import { DifferenceView } from "./difference-view";
import { subjectSearch } from "./filter";

type RowDialogProps = {
  row: TrailRow;
  people: readonly Person[] | undefined;
  onClose: () => void;
};

/** One row of the trail, with what it changed. */
export function RowDialog({ row, people, onClose }: RowDialogProps) {
  const t = useT();
  const link = "inline-flex min-h-11 items-center justify-self-start underline underline-offset-4";
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>
          <span data-name>{actionText(row.action, t)}</span>
        </DialogTitle>
        <Facts>
          <Fact label={t("office.seq")}>{row.seq}</Fact>
          <Fact label={t("office.at")}>{timeText(row.at)}</Fact>
          <Fact label={t("office.actor")}>
            <span data-name>{actorText(row, t)}</span>
          </Fact>
          <Fact label={t("office.action")}>
            <code className="font-mono text-sm">{row.action}</code>
          </Fact>
          <Fact label={t("office.subject")}>
            <span data-name>{subjectText(row.subject, people, t)}</span>
          </Fact>
          <Fact label={t("office.reason")}>
            <span data-name>{row.reason ?? "–"}</span>
          </Fact>
          <Fact label={t("office.address")}>
            <span data-name>{row.address ?? "–"}</span>
          </Fact>
        </Facts>
        <DifferenceView before={row.before} after={row.after} />
        <div className="grid border-t border-line pt-2">
          <OfficeLink
            to="/trail"
            search={subjectSearch(row.subject)}
            onClick={onClose}
            className={link}
          >
            {t("office.of_subject")}
          </OfficeLink>
          <OfficeLink to="/trail" search={{ actor: row.actor }} onClick={onClose} className={link}>
            {t("office.of_actor")}
          </OfficeLink>
        </div>
      </div>
    </Dialog>
  );
}
