import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { browserName } from "@/lib/browser-name";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { useAddress, useChangeSearch } from "../address";
import { timeText } from "../clock";
import { useMay } from "../session";
import { type Column, DataTable } from "../table/data-table";
import {
  type MemberFile,
  type MemberLogin,
  type MemberSession,
  endSessions,
  memberLoginsQuery,
  memberSessionsQuery,
} from "./api";
import type { Deed } from "./deed-dialog";
import { wayText } from "./texts";

const DeedDialog = lazy(() => loadPart(() => import("./deed-dialog")));

/** Where a member is logged in, and when it was before. */
export function SessionsTab({ member }: { member: MemberFile }) {
  const t = useT();
  const sessions = useQuery(memberSessionsQuery(member.id));
  const [ends, setEnds] = useState<MemberSession | null>(null);
  const mayEnd = useMay("members.write");
  return (
    <div className="grid gap-6">
      <section className="grid gap-1">
        <h2 className="display text-lg">{t("members.live_sessions")}</h2>
        <DataTable
          name="member-sessions"
          label={t("members.live_sessions")}
          columns={sessionColumns(t, mayEnd ? setEnds : null)}
          rows={sessions.data}
          keyOf={({ id }) => id}
          empty={t("members.sessions_none")}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
        />
      </section>
      {/* They come once what is above has its height, so that nothing moves. */}
      {!sessions.isPending && <Logins member={member} />}
      <Suspense fallback={null}>
        {ends && <DeedDialog member={member} deed={endOf(ends)} onClose={() => setEnds(null)} />}
      </Suspense>
    </div>
  );
}

function sessionColumns(
  t: Translate,
  onEnd: ((session: MemberSession) => void) | null,
): readonly Column<MemberSession>[] {
  const columns: (Column<MemberSession> | null)[] = [
    {
      id: "browser",
      label: t("members.browser"),
      isFixed: true,
      cell: ({ userAgent }) => (
        <span data-name>{browserName(userAgent) || t("office.unknown_browser")}</span>
      ),
    },
    {
      id: "address",
      label: t("office.address"),
      cell: ({ address }) => <span data-name>{address ?? "–"}</span>,
    },
    {
      id: "started",
      label: t("members.started"),
      cell: ({ startedAt }) => <span className="tabular-nums">{timeText(startedAt)}</span>,
    },
    {
      id: "seen",
      label: t("members.seen"),
      cell: ({ seenAt }) => <span className="tabular-nums">{timeText(seenAt)}</span>,
    },
    onEnd && {
      id: "end",
      label: t("members.end_one"),
      cell: (session) => (
        <Button size="sm" onClick={() => onEnd(session)}>
          {t("office.session_end")}
        </Button>
      ),
    },
  ];
  return columns.filter((column) => column !== null);
}

/** Ending one session of those that are listed. */
const endOf = (session: MemberSession): Deed => ({
  name: "office.session_end",
  text: "office.session_end_text",
  done: "office.session_ended",
  send: (id, body) => endSessions(id, { ...body, session: session.id }),
});

function Logins({ member }: { member: MemberFile }) {
  const t = useT();
  const before = useAddress()["before"];
  const change = useChangeSearch();
  const logins = useQuery(memberLoginsQuery(member.id, before));
  const next = logins.data?.next;
  return (
    <section className="grid gap-1">
      <h2 className="display text-lg">{t("members.logins")}</h2>
      <DataTable
        name="member-logins"
        label={t("members.logins")}
        columns={loginColumns(t)}
        rows={logins.data?.content}
        keyOf={({ id }) => id}
        empty={t("members.logins_none")}
        error={logins.error}
        onRetry={() => void logins.refetch()}
        isStale={logins.isPlaceholderData}
        paging={
          <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
            {before && (
              <Button size="sm" onClick={() => change({ before: undefined })}>
                {t("office.latest")}
              </Button>
            )}
            {next && (
              <Button size="sm" onClick={() => change({ before: next })}>
                {t("office.older")}
              </Button>
            )}
          </nav>
        }
      />
    </section>
  );
}

function loginColumns(t: Translate): readonly Column<MemberLogin>[] {
  return [
    {
      id: "at",
      label: t("office.at"),
      isFixed: true,
      cell: ({ at }) => <span className="tabular-nums">{timeText(at)}</span>,
    },
    { id: "method", label: t("members.by"), cell: (login) => wayText(login, t) },
    {
      id: "address",
      label: t("office.address"),
      cell: ({ address }) => <span data-name>{address ?? "–"}</span>,
    },
    {
      id: "browser",
      label: t("members.browser"),
      cell: ({ userAgent }) => (
        <span data-name>{browserName(userAgent) || t("office.unknown_browser")}</span>
      ),
    },
  ];
}
