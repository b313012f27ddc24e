import { useLocation, useSearch } from "@tanstack/react-router";
import type { Key } from "@/lib/i18n/i18n";
import { useT } from "@/lib/i18n/i18n";
import { LaterPage } from "./later-page";

type Kind = { title: Key; text: Key; points: readonly Key[] };

const shared = ["later.lottery_draw", "later.lottery_check", "later.lottery_close"] as const;

const kinds: Readonly<Record<string, Kind>> = {
  "/seaLottery": { title: "later.sea_title", text: "later.sea_text", points: shared },
  "/vnLottery": { title: "later.vn_title", text: "later.vn_text", points: shared },
};
const plain: Kind = { title: "later.lottery_title", text: "later.lottery_text", points: shared };

/** The three lottery pages; each is told by the query which lottery was asked for. */
export default function LotteryPage() {
  const t = useT();
  const { pathname } = useLocation();
  const { gameCode } = useSearch({ strict: false });
  return (
    <LaterPage {...(kinds[pathname] ?? plain)}>
      {gameCode !== undefined && (
        <p className="relative text-sm text-muted">
          {t("later.asked_for")} <code className="font-mono wrap-anywhere">{gameCode}</code>
        </p>
      )}
    </LaterPage>
  );
}
