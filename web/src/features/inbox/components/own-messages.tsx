import { useQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { Skeleton } from "@/ui/skeleton";
import { type OwnFeedback, ownFeedbackQuery } from "../api";
import { questionLabels } from "../model";

const states: Readonly<Record<OwnFeedback["status"], { label: Key; look: string }>> = {
  OPEN: { label: "inbox.open", look: "text-accent-text" },
  ANSWERED: { label: "inbox.answered", look: "text-win" },
  CLOSED: { label: "inbox.closed", look: "text-muted" },
};

/** What the member wrote, newest first, with the answers. */
export function OwnMessages({ onWrite }: { onWrite: () => void }) {
  const t = useT();
  const { data, error, refetch } = useQuery(ownFeedbackQuery);
  if (!data) {
    return (
      <div className="min-h-96 pt-4">
        {error ? (
          <LoadFailed error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton className="h-40" />
        )}
      </div>
    );
  }
  return (
    <div className="min-h-96 pt-4" aria-live="polite">
      {data.length === 0 ? (
        <EmptyState title={t("inbox.none")} text={t("inbox.none_text")}>
          <Button onClick={onWrite}>{t("inbox.write")}</Button>
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-1 divide-y divide-line border-y border-line">
          {data.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Message({ message }: { message: OwnFeedback }) {
  const t = useT();
  const { questionType, content, status, answer, answeredAt, createdAt } = message;
  const state = states[status];
  return (
    <li className="grid grid-cols-1 gap-3 py-4">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <span className="font-semibold">{t(questionLabels[questionType])}</span>
        <span className={state.look}>{t(state.label)}</span>
        <Moment at={createdAt} />
      </p>
      <p data-name className="wrap-anywhere whitespace-pre-line">
        {content}
      </p>
      {answer !== null && (
        <div className="grid gap-1 border-l-2 border-accent pl-4">
          <p className="flex flex-wrap gap-x-4 text-sm">
            <span className="font-semibold">{t("inbox.answer")}</span>
            {answeredAt !== null && <Moment at={answeredAt} />}
          </p>
          <p data-name className="wrap-anywhere whitespace-pre-line text-muted">
            {answer}
          </p>
        </div>
      )}
    </li>
  );
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="text-muted tabular-nums">
      {clockText(new Date(at), getBoot().merchant.timeZone)}
    </time>
  );
}
