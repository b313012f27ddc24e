import { useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { OfficeLink } from "../address";
import type { TrailRow } from "../api";
import { timeText } from "../clock";
import { Fact, Facts } from "../panel";
import { actionText, actorText } from "./actions";
import DifferenceView from "./difference-view";
import { subjectSearch } from "./filter";
import { useNames } from "./names";
import { Subject } from "./subject";

type RowDialogProps = { row: TrailRow; onClose: () => void };

/** One row of the trail, with what it changed. */
export default function RowDialog({ row, onClose }: RowDialogProps) {
  const t = useT();
  const nameOf = useNames([row]);
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
            <Subject subject={row.subject} nameOf={nameOf} onLeave={onClose} />
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
