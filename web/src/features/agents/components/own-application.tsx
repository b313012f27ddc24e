import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import type { OwnApplication } from "../api";

const states: Readonly<Record<OwnApplication["status"], { title: Key; text: Key }>> = {
  OPEN: { title: "join.open", text: "join.open_text" },
  ACCEPTED: { title: "join.accepted", text: "join.accepted_text" },
  REFUSED: { title: "join.refused", text: "join.refused_text" },
};

type Props = { application: OwnApplication; onAgain: () => void };

/** What became of the member's application. */
export function OwnApplicationView({ application, onAgain }: Props) {
  const t = useT();
  const { status, answer, createdAt } = application;
  const { title, text } = states[status];
  return (
    <div role="status" className="grid justify-items-start gap-3">
      <p className="text-lg font-semibold">{t(title)}</p>
      <p className="text-muted">{t(text)}</p>
      {answer !== null && (
        <div className="grid gap-1 border-l-2 border-accent pl-4">
          <p className="text-sm font-semibold">{t("join.answer")}</p>
          <p data-name className="wrap-anywhere whitespace-pre-line text-muted">
            {answer}
          </p>
        </div>
      )}
      <p className="text-sm text-muted">
        {t("join.sent_at")}{" "}
        <time dateTime={createdAt} className="tabular-nums">
          {clockText(new Date(createdAt), getBoot().merchant.timeZone)}
        </time>
      </p>
      {status === "REFUSED" && <Button onClick={onAgain}>{t("join.again")}</Button>}
    </div>
  );
}
