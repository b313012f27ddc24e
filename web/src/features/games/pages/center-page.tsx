import { useInfiniteQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { gamesQuery } from "../api";
import { type CenterPath, categoryOf, centerPaths, labelOf } from "../categories";
import { Elsewhere } from "../components/elsewhere";
import { FilterBar } from "../components/filter-bar";
import { EndlessGrid, GridSkeleton } from "../components/game-grid";
import { ListFailed, ListHead } from "../components/list-parts";
import { type Filters, readFilters, wantedOf, writeFilters } from "../filters";

/** The games of one category. */
export default function CenterPage() {
  const t = useT();
  const { pathname } = useLocation();
  const path = centerPaths.find((known) => known === pathname) ?? "/rng";
  const menu = getBoot().menus.find(({ gameCategory }) => gameCategory === categoryOf(path));
  const name = t(labelOf(path));
  if (menu) return <Center key={path} path={path} menu={menu} />;
  return (
    <div className="grid gap-6">
      <ListHead title={name} />
      <Elsewhere title={t("cat.none_yet", name)} text={t("cat.none_yet_text")} />
    </div>
  );
}

type CenterProps = { path: CenterPath; menu: ReturnType<typeof getBoot>["menus"][number] };

function Center({ path, menu }: CenterProps) {
  const t = useT();
  const lang = useLang();
  const filters = readFilters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (part: Partial<Filters>) =>
    void navigate({ to: path, search: writeFilters({ ...filters, ...part }), replace: true });
  const games = useInfiniteQuery(gamesQuery(wantedOf(menu.gameCategory, filters), lang));
  const all = games.data?.pages.flatMap((page) => page.content) ?? [];
  const name = t(labelOf(path));
  return (
    <div className="grid gap-6">
      <ListHead title={name} count={games.data?.pages[0]?.total} />
      <FilterBar menu={menu} filters={filters} onChange={change} />
      {games.isPending && <GridSkeleton />}
      {games.isError && all.length === 0 && <ListFailed onRetry={() => void games.refetch()} />}
      {all.length > 0 && (
        <div
          aria-busy={games.isPlaceholderData}
          className={games.isPlaceholderData ? "opacity-60" : ""}
        >
          <EndlessGrid games={all} label={name} more={games} />
        </div>
      )}
      {games.isSuccess && all.length === 0 && (
        <Elsewhere title={t("cat.none_found")} text={t("cat.none_found_text")}>
          <Button variant="main" onClick={() => change({ q: "", vassalage: "", label: "" })}>
            {t("cat.show_all")}
          </Button>
        </Elsewhere>
      )}
    </div>
  );
}
