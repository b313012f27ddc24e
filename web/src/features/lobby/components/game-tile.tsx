import { Link } from "@tanstack/react-router";
import type { GameItem } from "@/lib/api/types";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";

type GameTileProps = { game: GameItem; onPlay: (game: GameItem) => void };

/** A link, so that it can be opened in another tab; a plain press starts the game by the rules. */
export function GameTile({ game, onPlay }: GameTileProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <Link
      to="/play/$gameCode"
      params={{ gameCode: game.gameCode }}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onPlay(game);
      }}
      className="tile leaf-lg group relative block overflow-hidden border border-line"
    >
      <img
        src={game.showIcon}
        alt=""
        width="300"
        height="400"
        className="absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-104"
      />
      <span className="tile-foot absolute inset-x-0 bottom-0 grid gap-0.5 p-2.5 pt-10 text-sm">
        <span data-name="" className="truncate font-semibold">
          {game.displayName}
        </span>
        <span className="figures text-xs">
          {t("home.returns", formatPercent(game.returnPercent, tag))}
        </span>
      </span>
    </Link>
  );
}
