import { Link } from "@tanstack/react-router";
import type { GameItem } from "@/lib/api/types";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";

type GameTileProps = {
  game: GameItem;
  /** The only game: on a phone it takes the whole row, with the wide picture. */
  alone: boolean;
};

export function GameTile({ game, alone }: GameTileProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <Link
      to="/play/$gameCode"
      params={{ gameCode: game.gameCode }}
      className={`tile leaf-lg group relative block overflow-hidden border border-line ${alone ? "tile-alone" : ""}`}
    >
      <picture>
        {alone && <source media="(width < 48rem)" srcSet={`/art/${game.gameCode}-wide.svg`} />}
        <img
          src={`/art/${game.gameCode}.svg`}
          alt=""
          width="300"
          height="400"
          className="absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-104"
        />
      </picture>
      <span className="tile-foot absolute inset-x-0 bottom-0 grid gap-0.5 p-3.5 pt-10">
        <span className="font-semibold">{game.displayName}</span>
        <span className="figures text-sm">
          {t("home.returns", formatPercent(game.returnPercent, tag))}
        </span>
      </span>
    </Link>
  );
}
