import { useRouter } from "@tanstack/react-router";
import { useFreePlay } from "@/features/auth/free-play";
import type { Announcement } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { Accordion } from "@/ui/accordion";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { PopupBand } from "@/ui/popup-band";
import { SafeHtml } from "@/ui/safe-html";
import { isInvitation } from "../announce-rules";
import { promotionPath } from "../model";

type Props = { items: readonly Announcement[]; close: () => void };

/** What the house tells whoever comes. One alone is shown whole, several unfold. */
export default function AnnouncementsPopup({ items, close }: Props) {
  const t = useT();
  const [first] = items;
  const single = items.length === 1 ? first : undefined;
  return (
    <>
      <PopupBand />
      <div className="grid grid-cols-1 gap-5 p-6">
        <DialogTitle>
          {/* Who has something to read begins at its top; the button is below all of it. */}
          <span
            data-autofocus
            tabIndex={-1}
            data-name={single ? true : undefined}
            className="outline-none"
          >
            {single?.title ?? t("content.announcements")}
          </span>
        </DialogTitle>
        {single ? (
          <Body item={single} close={close} />
        ) : (
          <Accordion
            open={first?.id}
            items={items.map((item) => ({
              id: item.id,
              title: item.title,
              body: <Body item={item} close={close} />,
            }))}
          />
        )}
        <Button onClick={close}>{t("content.understood")}</Button>
      </div>
    </>
  );
}

function Body({ item, close }: { item: Announcement; close: () => void }) {
  const t = useT();
  const router = useRouter();
  const { start, busy } = useFreePlay();
  const path = promotionPath(item);
  const invites = isInvitation(item);
  return (
    <div className="grid grid-cols-1 gap-5">
      <SafeHtml html={item.content} onLeave={close} />
      {invites && (
        <Button variant="main" busy={busy} onClick={() => void start()}>
          {t("home.try_free")}
        </Button>
      )}
      {path && (
        <Button
          variant={invites ? "plain" : "main"}
          onClick={() => {
            close();
            router.history.push(path);
          }}
        >
          {t("content.to_promotion")}
        </Button>
      )}
    </div>
  );
}
