import { useRef } from "react";

import type { Balance, Launch } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { Skeleton } from "@/ui/skeleton";

import type { PlayedRound } from "./api";
import { useFrame } from "./use-frame";

/** A frame cannot make the page taller than this. */
const MOST_HEIGHT = 1100;

type GameFrameProps = {
  launch: Launch;
  balance: Balance;
  sound: boolean;
  jackpot: string | null;
  replay: PlayedRound | null;
  onRound: (round: PlayedRound) => void;
};

/** The sandboxed frame: scripts only, so it has neither our cookies nor our storage nor a way to the network. */
export function GameFrame(props: GameFrameProps) {
  const t = useT();
  const frame = useRef<HTMLIFrameElement>(null);
  const { ready, height, onLoad } = useFrame(frame, props);
  return (
    <>
      {/* Gives the place around it the height that the game needs, where there is no other bound. */}
      <div aria-hidden="true" style={{ height: Math.min(height, MOST_HEIGHT) }} />
      <iframe
        ref={frame}
        title={t("game.frame", props.launch.gameName)}
        src={props.launch.frame}
        sandbox="allow-scripts"
        onLoad={onLoad}
        className={`absolute inset-0 size-full transition-opacity duration-200 ${ready ? "" : "opacity-0"}`}
      />
      {!ready && <FrameSkeleton />}
    </>
  );
}

/** The shape of a game that is still opening. */
export function FrameSkeleton() {
  const t = useT();
  return (
    <div
      className="absolute inset-0 grid grid-rows-[1fr_auto] gap-3 p-3 md:grid-cols-[1fr_20rem] md:grid-rows-1"
      aria-busy="true"
    >
      <span role="status" className="sr-only">
        {t("game.loading")}
      </span>
      <Skeleton className="min-h-60" />
      <div className="grid content-center gap-4">
        <Skeleton className="h-12" />
        <Skeleton className="h-12" />
        <Skeleton className="h-28" />
        <Skeleton className="h-14" />
      </div>
    </div>
  );
}
