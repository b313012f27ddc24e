import { useInfiniteQuery } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { gamesQuery } from "../api";
import { EndlessGrid, GridSkeleton } from "./game-grid";

/** The games of one provider. */
export default function VendorGamesPopup({ vassalage }: { vassalage: string; close: () => void }) {
  const t = useT();
  const lang = useLang();
  const games = useInfiniteQuery(gamesQuery({ vassalage }, lang));
  const vendors = getBoot().menus.flatMap((menu) => menu.vendors);
  const name = vendors.find((vendor) => vendor.vassalage === vassalage)?.displayName ?? vassalage;
  const all = games.data?.pages.flatMap((page) => page.content).filter(isOneGame) ?? [];
  return (
    <div className="popup-wide grid gap-5 p-6">
      <DialogTitle>{t("cat.games_of", name)}</DialogTitle>
      {games.isPending && <GridSkeleton count={6} />}
      {games.isError && <p role="alert">{t("cat.failed")}</p>}
      {games.data && all.length === 0 && <p className="text-muted">{t("cat.none_vendor")}</p>}
      {all.length > 0 && <EndlessGrid games={all} label={t("cat.games_of", name)} more={games} />}
    </div>
  );
}

const isOneGame = ({ isGame }: { isGame: string }): boolean => isGame !== "VASSALAGE";
