import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NoticePage } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Accordion } from "@/ui/accordion";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { Icon } from "@/ui/icon";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { SafeHtml } from "@/ui/safe-html";
import { Skeleton } from "@/ui/skeleton";
import { headlinesQuery, noticesPerPage, noticesQuery } from "../api";
import { noticeTime } from "../model";

type Props = { id?: string; close: () => void };

/** The notices, nine to a page. */
export default function NoticesPopup({ id, close }: Props) {
  const t = useT();
  const lang = useLang();
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery(noticesQuery(page, lang));
  return (
    <div className="popup-wide popup-tall grid grid-cols-1 content-start gap-5 p-6">
      <DialogTitle>{t("content.notices")}</DialogTitle>
      <Headline />
      {!data && !error && <NoticesSkeleton />}
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState title={t("content.notices_none")} text={t("content.notices_none_text")} />
      )}
      {data && data.total > 0 && (
        <>
          <Notices key={data.pageNum} page={data} open={id} onLeave={close} />
          <Pager page={data} busy={isPlaceholderData} onTurn={setPage} />
        </>
      )}
    </div>
  );
}

type NoticesProps = { page: NoticePage; open: string | undefined; onLeave: () => void };

function Notices({ page, open, onLeave }: NoticesProps) {
  const zone = getBoot().merchant.timeZone;
  return (
    <Accordion
      open={open}
      items={page.content.map((notice) => ({
        id: notice.id,
        title: notice.title,
        note: (
          <time
            dateTime={new Date(Number(notice.startDateStr)).toISOString()}
            className="tabular-nums"
          >
            {noticeTime(notice.startDateStr, zone)}
          </time>
        ),
        body: <SafeHtml html={notice.content} onLeave={onLeave} />,
      }))}
    />
  );
}

type PagerProps = { page: NoticePage; busy: boolean; onTurn: (page: number) => void };

function Pager({ page: { pageNum, totalPages }, busy, onTurn }: PagerProps) {
  const t = useT();
  if (totalPages < 2) return null;
  return (
    <nav aria-label={t("content.pages")} className="flex items-center justify-between gap-3">
      <Button size="sm" disabled={pageNum <= 1 || busy} onClick={() => onTurn(pageNum - 1)}>
        {t("content.newer")}
      </Button>
      <p role="status" className="text-sm text-muted">
        {t("content.page_of", pageNum, totalPages)}
      </p>
      <Button
        size="sm"
        disabled={pageNum >= totalPages || busy}
        onClick={() => onTurn(pageNum + 1)}
      >
        {t("content.older")}
      </Button>
    </nav>
  );
}

/** What concerns everybody stands above the rest. */
function Headline() {
  const t = useT();
  const lang = useLang();
  const { data } = useQuery(headlinesQuery(lang));
  const first = data?.[0];
  if (!first) return null;
  return (
    <button
      type="button"
      onClick={() => openPopup("publicAnnouncement", {})}
      className="leaf flex min-h-14 items-center gap-3 border border-line-strong px-4 py-2 text-left hover:bg-raised"
    >
      <Icon name="info" className="size-5 shrink-0 text-accent-text" />
      <span className="grid min-w-0 grow">
        <span className="text-sm text-muted">{t("content.public")}</span>
        <span data-name className="font-semibold">
          {first.title}
        </span>
      </span>
      <Icon name="right" className="size-5 shrink-0" />
    </button>
  );
}

function NoticesSkeleton() {
  return (
    <div className="grid gap-2" aria-busy="true">
      {Array.from({ length: noticesPerPage }, (_, row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  );
}
