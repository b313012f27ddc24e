import { useQuery } from "@tanstack/react-query";
import { useLang, useT } from "@/lib/i18n/i18n";
import { recentQuery } from "../api";
import { Elsewhere } from "../components/elsewhere";
import { GameGrid, GridSkeleton } from "../components/game-grid";
import { ListFailed, ListHead } from "../components/list-parts";
import { MembersOnly } from "../components/members-only";

/** The games that the member opened last. */
export default function RecentPage() {
  const t = useT();
  return (
    <div className="grid gap-6">
      <ListHead title={t("cat.recent")} />
      <MembersOnly title={t("cat.recent_visitor")} text={t("cat.recent_visitor_text")}>
        <Recent />
      </MembersOnly>
    </div>
  );
}

function Recent() {
  const t = useT();
  const { data, isPending, isError, refetch } = useQuery(recentQuery(useLang()));
  if (isPending) return <GridSkeleton count={6} />;
  if (isError) return <ListFailed onRetry={() => void refetch()} />;
  if (data.length === 0) {
    return <Elsewhere title={t("cat.recent_none")} text={t("cat.recent_none_text")} />;
  }
  return <GameGrid games={data} label={t("cat.recent")} />;
}
