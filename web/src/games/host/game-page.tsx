import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";

import { openComplete, openRegister } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { roundQuery } from "@/features/fairness/rounds";
import { balanceQuery } from "@/features/wallet/api";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";

import { type PlayedRound, jackpotsQuery, launchQuery, poolOf } from "./api";
import { useFullScreen } from "./full-screen";
import { GameBar } from "./game-bar";
import { FrameSkeleton, GameFrame } from "./game-frame";
import { GameGate } from "./game-gate";
import { RoundList } from "./round-list";
import { keepSound, readSound } from "./sound";
import { UnknownGame } from "./unknown-game";
import { isHosted } from "./words";

/** The page of one game. */
export default function GamePage() {
  const { gameCode = "" } = useParams({ strict: false });
  const item = getBoot().games.find((game) => game.gameCode === gameCode);
  if (!isHosted(gameCode)) return <UnknownGame gameCode={gameCode} />;
  return (
    <Table
      key={gameCode}
      gameCode={gameCode}
      name={item?.displayName ?? gameCode}
      returnPercent={item?.returnPercent}
    />
  );
}

type TableProps = { gameCode: string; name: string; returnPercent: string | undefined };

function Table({ gameCode, name, returnPercent }: TableProps) {
  const session = useSession();
  const { round } = useSearch({ strict: false });
  const { view, full, toggle } = useFullScreen();
  const [sound, setSound] = useState(readSound);
  const [lastRound, setLastRound] = useState<string | null>(null);
  const inside = session.kind === "member" || session.kind === "trial";
  const changeSound = (on: boolean) => {
    setSound(on);
    keepSound(on);
  };
  return (
    <div className="grid grid-cols-1 gap-8">
      <section
        ref={view}
        data-game-page
        className={
          full
            ? "flex flex-col bg-surface"
            : "leaf-lg overflow-hidden border border-line bg-surface max-sm:-mx-4 max-sm:-mt-4 max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0"
        }
      >
        <GameBar
          name={name}
          returnPercent={returnPercent}
          // As long as nobody knows who looks, somebody is inside: the line of the promise keeps its place.
          check={session.kind === "visitor" ? null : { lastRound }}
          sound={sound}
          onSound={changeSound}
          full={full}
          onFull={toggle}
        />
        <div
          className={`relative border-t border-line bg-canvas ${full ? "grow overflow-hidden" : "min-h-[max(39.5rem,calc(100dvh-13.25rem))] md:min-h-[clamp(34rem,calc(100dvh-14rem),52rem)] xl:min-h-[clamp(34rem,calc(100dvh-12rem),52rem)]"}`}
        >
          {session.kind === "unknown" && <FrameSkeleton />}
          {session.kind === "visitor" && <GameGate gameCode={gameCode} name={name} />}
          {inside && (
            <LaunchedGame
              gameCode={gameCode}
              sound={sound}
              replayed={round}
              onRound={setLastRound}
            />
          )}
        </div>
      </section>
      {inside && <RoundList />}
    </div>
  );
}

type LaunchedProps = {
  gameCode: string;
  sound: boolean;
  /** The number of a round that is to be shown once more. */
  replayed?: string | undefined;
  onRound: (id: string) => void;
};

export function LaunchedGame({ gameCode, sound, replayed, onRound }: LaunchedProps): ReactNode {
  const lang = useLang();
  const launch = useQuery(launchQuery(gameCode));
  const balance = useQuery(balanceQuery);
  const jackpots = useQuery(jackpotsQuery(gameCode));
  const replay = useQuery({ ...roundQuery(replayed ?? ""), enabled: replayed !== undefined });
  const error = launch.error ?? balance.error;
  if (error && !(launch.data && balance.data)) {
    const retry = () => void Promise.all([launch.refetch(), balance.refetch()]);
    return <LaunchFailed error={error} onRetry={retry} />;
  }
  if (!launch.data || !balance.data) return <FrameSkeleton />;
  return (
    <GameFrame
      // The frame gets its texts once: another language opens it anew.
      key={lang}
      launch={launch.data}
      balance={balance.data}
      sound={sound}
      jackpot={poolOf(jackpots.data, gameCode, launch.data.currency)}
      replay={replay.data?.gameCode === gameCode ? (replay.data as PlayedRound) : null}
      onRound={(round) => onRound(round.id)}
    />
  );
}

function LaunchFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useT();
  const final = isApiError(error, "games.unknown_game") || isApiError(error, "site.switched_off");
  const isIncomplete = isApiError(error, "member.to_complete");
  const isTrial = isApiError(error, "session.trial");
  const act = isTrial ? () => openRegister() : isIncomplete ? openComplete : onRetry;
  const words = isTrial ? "in_increase_submit" : isIncomplete ? "game.complete" : "game.retry";
  return (
    <div
      role="alert"
      className="absolute inset-0 grid place-content-center justify-items-center gap-4 p-6 text-center"
    >
      <h2 className="display text-2xl">{t("game.failed")}</h2>
      <p className="max-w-[40ch] text-muted">{errorText(error, t)}</p>
      {!final && (
        <Button variant="main" onClick={act}>
          {t(words)}
        </Button>
      )}
      {isApiError(error, "games.maintenance") && <OtherGames />}
    </div>
  );
}

const othersShown = 4;

/** Games that can be started while this one cannot. */
function OtherGames() {
  const games = getBoot().games.slice(0, othersShown);
  return (
    <ul className="flex flex-wrap justify-center gap-2">
      {games.map(({ gameCode, displayName }) => (
        <li key={gameCode}>
          <Link to="/play/$gameCode" params={{ gameCode }} className={buttonClass("plain", "sm")}>
            <span data-name="">{displayName}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
