import { type ReactNode, Suspense, lazy } from "react";
import type { GameItem } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Banners } from "../components/banners";
import { GameTile } from "../components/game-tile";
import { Hero } from "../components/hero";
import { NoticeLine } from "../components/notice-line";
import { Winners } from "../components/winners";

type Part = { default: () => ReactNode };

/** What lies below the first screen comes after it, with its words. */
function later(load: () => Promise<Part>) {
  return lazy(async () => {
    const [part] = await Promise.all([loadPart(load), loadPart(() => loadMessages("home"))]);
    return part;
  });
}
const CheckRound = later(() => import("../components/check-round"));
const OddsCard = later(() => import("../components/odds-card"));
const SeeThrough = later(() => import("../components/see-through"));

type HomePageProps = {
  onPlay: (game: GameItem) => void;
  onTry: (() => void) | undefined;
  trying: boolean;
  /** Opens the list of notices. */
  onNotices: () => void;
  /** More lists of games. */
  children: ReactNode;
};

export function HomePage({ onPlay, onTry, trying, onNotices, children }: HomePageProps) {
  const t = useT();
  const { games, hot } = getBoot();
  const first = games.find(({ gameCode }) => gameCode === "dice") ?? games[0];
  return (
    <div className="grid gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 grid-cols-1 content-start gap-10">
        <div className="grid grid-cols-1 gap-6">
          <Banners />
          {first && (
            <Hero
              gameCode={first.gameCode}
              returnPercent={first.returnPercent}
              onTry={onTry}
              trying={trying}
            />
          )}
          <NoticeLine onOpen={onNotices} />
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
        <div className="min-h-48 xl:min-h-52">
          <Suspense>
            <CheckRound />
          </Suspense>
        </div>
        {first?.gameCode === "dice" && (
          <div className="min-h-91 xl:min-h-112">
            <Suspense>
              <OddsCard />
            </Suspense>
          </div>
        )}
      </div>
      <div className="min-h-[46rem] md:min-h-88 xl:col-span-2">
        <Suspense>
          <SeeThrough />
        </Suspense>
      </div>
    </div>
  );
}
