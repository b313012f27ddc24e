import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { browserName } from "@/lib/browser-name";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { type Session, endSession, sessionsQuery } from "../api";
import { timeText } from "../clock";
import { Confirm } from "../confirm";
import { ListFault } from "../page-states";
import { Panel } from "../panel";

/** Where one is logged in, with a way to end each session. */
export function SessionsPanel() {
  const t = useT();
  const { data, error, refetch } = useQuery(sessionsQuery);
  return (
    <Panel title={t("office.sessions")}>
      <p className="text-sm text-muted">{t("office.sessions_text")}</p>
      {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-16" />}
      <ul>
        {data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session }: { session: Session }) {
  const t = useT();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const end = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: () => toast(t("office.session_ended"), "good"),
    onError: (error) => toast(errorText(error, t), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-line py-1.5 not-last:border-b">
      <div className="min-w-40 grow">
        <p className="font-semibold" data-name>
          {browserName(session.userAgent) || t("office.unknown_browser")}
        </p>
        <p className="text-sm text-muted">
          {t("office.session_seen", timeText(session.seenAt), session.address ?? "–")}
        </p>
      </div>
      {session.isCurrent ? (
        <span className="text-sm text-win">{t("office.this_session")}</span>
      ) : (
        <Button size="sm" busy={end.isPending} onClick={() => setAsks(true)}>
          {t("office.session_end")}
        </Button>
      )}
      {asks && (
        <Confirm
          title="office.session_end_title"
          text="office.session_end_text"
          action="office.session_end"
          onClose={() => setAsks(false)}
          onConfirm={() => end.mutate()}
        />
      )}
    </li>
  );
}
