import { useState } from "react";

import { useSession } from "@/features/auth/session";
import { getBoot } from "@/lib/boot/boot";
import type { GameItem } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { DialogTitle } from "@/ui/dialog";
import { IconButton } from "@/ui/icon-button";

import { LaunchedGame } from "./game-page";
import { keepSound, readSound } from "./sound";

/** Rounds of these take a moment: they are played in a small window over any page. */
const quick = new Set(["AC", "SC", "TG", "BG"]);
const most = 8;

const isQuick = (game: GameItem): boolean =>
  game.isGame === "GAME" && game.gameClassify.some((label) => quick.has(label));

/** A small launcher for quick games over any page. */
export default function MiniGamePopup() {
  const t = useT();
  const trial = useSession().kind === "trial";
  const games = getBoot()
    .games.filter((game) => isQuick(game) && (!trial || game.supportPlay === 0))
    .slice(0, most);
  const [code, setCode] = useState(games[0]?.gameCode);
  const [sound, setSound] = useState(readSound);
  const changeSound = (on: boolean) => {
    setSound(on);
    keepSound(on);
  };
  if (!code) {
    return (
      <div className="grid gap-4 p-6">
        <DialogTitle>{t("cat.quick")}</DialogTitle>
        <p className="text-muted">{t("cat.quick_none")}</p>
      </div>
    );
  }
  return (
    <div className="popup-mini grid grid-cols-1">
      <div className="px-5 pt-4 pb-3">
        <DialogTitle>{t("cat.quick")}</DialogTitle>
        <IconButton
          icon={sound ? "sound" : "mute"}
          label={t("game.sound")}
          aria-pressed={sound}
          onClick={() => changeSound(!sound)}
          className="absolute top-3 right-14"
        />
      </div>
      <div role="group" aria-label={t("cat.quick_choose")} className="choices flex gap-2 px-4 pb-3">
        {games.map((game) => (
          <button
            key={game.gameCode}
            type="button"
            aria-pressed={game.gameCode === code}
            onClick={() => setCode(game.gameCode)}
            className={`leaf inline-flex min-h-11 shrink-0 items-center gap-2 border pr-4 pl-2 text-sm font-semibold whitespace-nowrap ${game.gameCode === code ? "border-ink bg-ink text-canvas" : "border-line text-muted hover:border-line-strong hover:text-ink"}`}
          >
            <img src={game.showIcon} alt="" className="h-8 w-6 rounded-xs object-cover" />
            <span data-name="">{game.displayName}</span>
          </button>
        ))}
      </div>
      <div className="mini-stage relative border-t border-line bg-canvas">
        <LaunchedGame key={code} gameCode={code} sound={sound} onRound={() => undefined} />
      </div>
    </div>
  );
}
