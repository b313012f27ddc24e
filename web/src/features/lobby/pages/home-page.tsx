import { getBoot } from "@/lib/boot/boot";
import { useT } from "@/lib/i18n/i18n";
import { CheckRound } from "../components/check-round";
import { GameTile } from "../components/game-tile";
import { Hero } from "../components/hero";
import { NoticeLine } from "../components/notice-line";
import { OddsCard } from "../components/odds-card";
import { SeeThrough } from "../components/see-through";
import { Winners } from "../components/winners";

type HomePageProps = { onTry: (() => void) | undefined; trying: boolean };

export function HomePage({ onTry, trying }: HomePageProps) {
  const t = useT();
  const { games } = getBoot();
  const [first] = games;
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
        <section aria-labelledby="games" className="grid gap-5">
          <h2 id="games" className="display text-2xl">
            {t("home.games")}
          </h2>
          <div className="games">
            {games.map((game) => (
              <GameTile key={game.nodeId} game={game} alone={games.length === 1} />
            ))}
            <OddsCard />
          </div>
        </section>
      </div>
      <div className="grid content-start gap-10">
        <Winners />
        <CheckRound />
      </div>
      <div className="xl:col-span-2">
        <SeeThrough />
      </div>
    </div>
  );
}
