import { useQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { PopupBand } from "@/ui/popup-band";
import { SafeHtml } from "@/ui/safe-html";
import { Skeleton } from "@/ui/skeleton";
import { headlinesQuery } from "../api";
import { noticeTime } from "../model";

/** What the house has to say to everybody. */
export default function PublicAnnouncementPopup({ close }: { close: () => void }) {
  const t = useT();
  const lang = useLang();
  const { data, error, refetch } = useQuery(headlinesQuery(lang));
  const zone = getBoot().merchant.timeZone;
  return (
    <>
      <PopupBand />
      <div className="grid grid-cols-1 gap-6 p-6">
        <DialogTitle>
          {/* Who has something to read begins at its top; the button is below all of it. */}
          <span data-autofocus tabIndex={-1} className="outline-none">
            {t("content.public")}
          </span>
        </DialogTitle>
        {!data && !error && <Skeleton className="h-56" />}
        {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState title={t("content.public_none")} text={t("content.public_none_text")} />
        )}
        {data?.map(({ id, title, content, startDateStr }) => (
          <article key={id} className="grid grid-cols-1 gap-3">
            <h3 data-name className="text-lg font-semibold">
              {title}
            </h3>
            <SafeHtml html={content} onLeave={close} />
            <p className="text-sm text-muted tabular-nums">{noticeTime(startDateStr, zone)}</p>
          </article>
        ))}
        <Button onClick={close}>{t("content.understood")}</Button>
      </div>
    </>
  );
}
