import { type ReactNode, Suspense, lazy } from "react";
import type { GameItem } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { CheckRound } from "../components/check-round";
import { GameTile } from "../components/game-tile";
import { Hero } from "../components/hero";
import { NoticeLine } from "../components/notice-line";
import { Winners } from "../components/winners";

/** It stands at the end of the page. */
const SeeThrough = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("../components/see-through")),
    loadPart(() => loadMessages("home")),
  ]);
  return part;
});

type HomePageProps = {
  onPlay: (game: GameItem) => void;
  onTry: (() => void) | undefined;
  trying: boolean;
  /** More lists of games. */
  children: ReactNode;
};

export function HomePage({ onPlay, onTry, trying, children }: HomePageProps) {
  const t = useT();
  const { games, hot } = getBoot();
  const first = games.find(({ gameCode }) => gameCode === "dice") ?? games[0];
  return (
    <div className="grid gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 content-start gap-10">
        <div className="grid gap-4">
          {first && (
            <Hero
              gameCode={first.gameCode}
              returnPercent={first.returnPercent}
              onTry={onTry}
              trying={trying}
            />
          )}
          <NoticeLine />
        </div>
        {hot.length > 0 && (
          <section aria-labelledby="games" className="grid gap-4">
            <h2 id="games" className="display text-xl">
              {t("home.hot")}
            </h2>
            <div className="games">
              {hot.map((game) => (
                <GameTile key={game.nodeId} game={game} onPlay={onPlay} />
              ))}
            </div>
          </section>
        )}
        {children}
      </div>
      <div className="grid content-start gap-10">
        <Winners />
        <CheckRound />
      </div>
      <div className="min-h-[46rem] md:min-h-88 xl:col-span-2">
        <Suspense>
          <SeeThrough />
        </Suspense>
      </div>
    </div>
  );
}
