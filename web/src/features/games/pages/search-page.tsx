import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useLang, useT } from "@/lib/i18n/i18n";
import { gamesQuery } from "../api";
import { CategoryLinks, Elsewhere, PopularGrid } from "../components/elsewhere";
import { SearchField } from "../components/filter-bar";
import { EndlessGrid, GridSkeleton } from "../components/game-grid";
import { ListFailed, ListHead } from "../components/list-parts";
import { readFilters, wantedOf } from "../filters";

/** All games of all categories, by name or vendor. */
export default function SearchPage() {
  const t = useT();
  const navigate = useNavigate();
  const filters = readFilters(useSearch({ strict: false }));
  const search = (q: string) =>
    void navigate({ to: "/search", search: q ? { q } : {}, replace: true });
  return (
    <div className="grid gap-6">
      <ListHead title={t("cat.search_page")} />
      <SearchField value={filters.q} onSearch={search} focused />
      {filters.q.trim() ? (
        <Results q={filters.q} />
      ) : (
        <>
          <div className="flex flex-wrap gap-3">
            <CategoryLinks />
          </div>
          <PopularGrid most={12} />
        </>
      )}
    </div>
  );
}

function Results({ q }: { q: string }) {
  const t = useT();
  const lang = useLang();
  const games = useInfiniteQuery(gamesQuery(wantedOf(undefined, readFilters({ q })), lang));
  const all = games.data?.pages.flatMap((page) => page.content) ?? [];
  const total = games.data?.pages[0]?.total ?? 0;
  return (
    <>
      <p role="status" className="text-sm text-muted">
        {games.isSuccess && t("cat.found", total, q.trim())}
      </p>
      {games.isPending && <GridSkeleton count={6} />}
      {games.isError && all.length === 0 && <ListFailed onRetry={() => void games.refetch()} />}
      {all.length > 0 && <EndlessGrid games={all} label={t("cat.search_page")} more={games} />}
      {games.isSuccess && all.length === 0 && (
        <Elsewhere title={t("cat.none_found")} text={t("cat.none_found_text")} />
      )}
    </>
  );
}
