import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { GameItem } from "@/lib/api/types";
import { type Key, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";

const heart =
  "M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5";

type GameCardProps = {
  game: GameItem;
  favorite: boolean;
  onPlay: (game: GameItem) => void;
  onFavorite: (game: GameItem) => void;
};

/** A game in a list. It is a link, so it can be opened in another tab; a plain press starts it by the rules. */
export function GameCard({ game, favorite, onPlay, onFavorite }: GameCardProps) {
  return (
    <li className="game-card relative">
      <Link
        to="/play/$gameCode"
        params={{ gameCode: game.gameCode }}
        preload={false}
        onClick={(event) => startPlainly(event, () => onPlay(game))}
        className="tile leaf-lg group relative block overflow-hidden border border-line bg-surface hover:border-line-strong"
      >
        <img
          src={game.showIcon}
          alt=""
          width="300"
          height="400"
          loading="lazy"
          className={`absolute inset-0 size-full object-cover transition-transform duration-300 group-hover:scale-104 ${game.maintenance ? "opacity-35 grayscale" : ""}`}
        />
        <Mark game={game} />
        <Foot game={game} />
      </Link>
      <FavoriteButton game={game} on={favorite} onToggle={() => onFavorite(game)} />
    </li>
  );
}

/** Whoever holds a key that opens another tab gets the other tab. */
export function startPlainly(event: MouseEvent, start: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  start();
}

function Foot({ game }: { game: GameItem }) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <span className="tile-foot absolute inset-x-0 bottom-0 grid gap-0.5 p-3 pt-10 text-sm">
      <span data-name="" className="truncate text-base font-semibold">
        {game.displayName}
      </span>
      <span className="flex justify-between gap-2 text-xs">
        <span data-name="" className="truncate">
          {game.vendorName}
        </span>
        {game.returnPercent && (
          <span className="figures shrink-0" title={t("cat.return_hint")}>
            {formatPercent(game.returnPercent, tag)}
          </span>
        )}
      </span>
    </span>
  );
}

/** One mark at most: what matters most about the game. */
function Mark({ game }: { game: GameItem }) {
  const t = useT();
  const mark = markOf(game);
  if (!mark) return null;
  return (
    <span
      className={`absolute top-2.5 left-2.5 rounded-xs px-1.5 py-0.5 text-xs font-semibold ${mark.look}`}
    >
      {t(mark.text)}
    </span>
  );
}

function markOf(game: GameItem): { text: Key; look: string } | null {
  if (game.maintenance) return { text: "cat.maintenance", look: "bg-canvas text-ink" };
  if (game.jackpot) return { text: "cat.jackpot", look: "bg-accent text-on-accent" };
  if (game.isNew) return { text: "cat.new", look: "bg-ink text-canvas" };
  return game.isHot ? { text: "cat.hot", look: "bg-live text-on-live" } : null;
}

type FavoriteButtonProps = { game: GameItem; on: boolean; onToggle: () => void };

function FavoriteButton({ game, on, onToggle }: FavoriteButtonProps) {
  const t = useT();
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={t("cat.favorite", game.displayName)}
      title={t(on ? "cat.favorite_remove" : "cat.favorite_add")}
      onClick={onToggle}
      className="favorite absolute top-0 right-0 grid size-11 place-items-center"
    >
      <svg viewBox="-5 -5 34 34" className="size-8" aria-hidden="true">
        <circle cx="12" cy="12" r="17" />
        <path d={heart} />
      </svg>
    </button>
  );
}
