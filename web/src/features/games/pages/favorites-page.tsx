import { useInfiniteQuery } from "@tanstack/react-query";
import { useLang, useT } from "@/lib/i18n/i18n";
import { favoritesQuery } from "../api";
import { Elsewhere } from "../components/elsewhere";
import { EndlessGrid, GridSkeleton } from "../components/game-grid";
import { ListFailed, ListHead } from "../components/list-parts";
import { MembersOnly } from "../components/members-only";

/** The games that the member likes. */
export default function FavoritesPage() {
  const t = useT();
  return (
    <div className="grid gap-6">
      <ListHead title={t("cat.favorites")} />
      <MembersOnly title={t("cat.favorites_visitor")} text={t("cat.favorites_visitor_text")}>
        <Favorites />
      </MembersOnly>
    </div>
  );
}

function Favorites() {
  const t = useT();
  const lang = useLang();
  const games = useInfiniteQuery(favoritesQuery(lang));
  const all = games.data?.pages.flatMap((page) => page.content) ?? [];
  if (games.isPending) return <GridSkeleton count={6} />;
  if (games.isError) return <ListFailed onRetry={() => void games.refetch()} />;
  if (all.length === 0) {
    return <Elsewhere title={t("cat.favorites_none")} text={t("cat.favorites_none_text")} />;
  }
  return <EndlessGrid games={all} label={t("cat.favorites")} more={games} />;
}
