import { type ReactNode, useEffect, useRef } from "react";
import type { GameItem } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { useFavorites } from "../favorites";
import { useLaunch } from "../use-launch";
import { GameCard } from "./game-card";

type GameGridProps = { games: readonly GameItem[]; label: string; children?: ReactNode };

/** Games as tiles. Tiles outside the screen cost nothing: the browser leaves their content out. */
export function GameGrid({ games, label, children }: GameGridProps) {
  const launch = useLaunch();
  const favorites = useFavorites();
  return (
    <ul className="game-grid" aria-label={label}>
      {games.map((game) => (
        <GameCard
          key={game.nodeId}
          game={game}
          favorite={favorites.has(game)}
          onPlay={launch}
          onFavorite={favorites.toggle}
        />
      ))}
      {children}
    </ul>
  );
}

type More = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/** A list without end: the next part is loaded before its beginning is reached. */
export function EndlessGrid({ more, ...grid }: GameGridProps & { more: More }) {
  const t = useT();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more;
  const end = useRef<HTMLDivElement>(null);
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWaiting || !end.current) return undefined;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchNextPage();
      },
      { rootMargin: "600px" },
    );
    watch.observe(end.current);
    return () => watch.disconnect();
  }, [isWaiting, fetchNextPage]);
  return (
    <div className="grid gap-5">
      <GameGrid {...grid}>{isFetchingNextPage && <CardSkeletons count={6} />}</GameGrid>
      <div ref={end} className="grid justify-items-center">
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t(isFetchNextPageError ? "fault.retry" : "cat.more")}
          </Button>
        )}
      </div>
    </div>
  );
}

export function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <li key={index} aria-hidden="true">
      <Skeleton className="tile leaf-lg" />
    </li>
  ));
}

/** The shape of a list that is still loading. */
export function GridSkeleton({ count = 12 }: { count?: number }) {
  const t = useT();
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        {t("loading")}
      </span>
      <ul className="game-grid">
        <CardSkeletons count={count} />
      </ul>
    </div>
  );
}
