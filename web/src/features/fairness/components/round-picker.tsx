import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import { errorText } from "@/lib/api/error-text";
import type { Round } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { gameCodes, tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import { summaryOf } from "@/lib/fair/told/summary";
import { useT } from "@/lib/i18n/i18n";
import { clockText } from "@/lib/time";
import { Button } from "@/ui/button";
import { fieldBox } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { Money } from "@/ui/money";
import { Skeleton } from "@/ui/skeleton";

import { roundPagesQuery } from "../rounds";
import { hasWon, isOpen } from "../shown";
import { SaveRounds } from "./save-rounds";

type RoundPickerProps = { chosen: string | undefined; className?: string };

/** The member's rounds to choose from, of all games or of one. */
export function RoundPicker({ chosen, className = "" }: RoundPickerProps) {
  const t = useT();
  const [game, setGame] = useState("");
  const pages = useInfiniteQuery(roundPagesQuery(game === "" ? null : game));
  const rounds = pages.data?.pages.flatMap(({ content }) => content);
  return (
    <section aria-labelledby="pick" className={`grid min-w-0 content-start gap-3 ${className}`}>
      <h2 id="pick" className="display text-xl">
        {t("fair.pick")}
      </h2>
      <GameSelect value={game} onChange={setGame} />
      {pages.isPending && <Skeleton className="h-60" />}
      {pages.isError && <p role="alert">{errorText(pages.error, t)}</p>}
      {rounds?.length === 0 && <p className="text-muted">{t("fair.none_of_game")}</p>}
      {rounds && rounds.length > 0 && (
        <ul
          className="grid max-h-128 divide-y divide-line overflow-y-auto border-y border-line"
          tabIndex={0}
          aria-label={t("fair.pick")}
        >
          {rounds.map((round) => (
            <PickRow key={round.id} round={round} chosen={round.id === chosen} />
          ))}
          {pages.hasNextPage && (
            <li className="grid place-items-center py-2">
              <Button
                size="sm"
                busy={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                {t("fair.older")}
              </Button>
            </li>
          )}
        </ul>
      )}
      {rounds && rounds.length > 0 && <SaveRounds />}
    </section>
  );
}

function GameSelect({ value, onChange }: { value: string; onChange: (game: string) => void }) {
  const t = useT();
  return (
    <select
      aria-label={t("fair.of_game")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={fieldBox}
    >
      <option value="">{t("fair.all_games")}</option>
      {gameCodes.map((code) => (
        <option key={code} value={code}>
          {say(t, tellGame(code))}
        </option>
      ))}
    </select>
  );
}

function PickRow({ round, chosen }: { round: Round; chosen: boolean }) {
  const t = useT();
  return (
    <li>
      <Link
        to="/verify/$roundId"
        params={{ roundId: round.id }}
        aria-current={chosen ? "true" : undefined}
        className={`flex min-h-14 items-center gap-3 px-2 py-1.5 hover:bg-raised ${chosen ? "bg-raised" : ""}`}
      >
        <img
          src={`/art/${round.gameCode}.svg`}
          alt=""
          loading="lazy"
          width="36"
          height="48"
          className="leaf h-12 w-9 shrink-0 object-cover"
        />
        <span className="grid min-w-0 grow text-sm">
          <span className="truncate">
            <strong>{say(t, tellGame(round.gameCode))}</strong> {say(t, summaryOf(round))}
          </span>
          <span className="flex flex-wrap items-center gap-x-1">
            <Money value={round.stake} currency={round.currency} />
            <Icon name="right" className="size-3.5 text-muted" />
            {isOpen(round) ? (
              t("fair.still_open")
            ) : (
              <Money
                value={round.payout}
                currency={round.currency}
                className={hasWon(round) ? "text-win" : ""}
              />
            )}
          </span>
          <span className="text-muted">
            {clockText(new Date(round.playedAt), getBoot().merchant.timeZone)}
          </span>
        </span>
        <Icon name={round.seed.serverSeed ? "verify" : "lock"} className="size-5 text-muted" />
        <span className="sr-only">
          {t(round.seed.serverSeed ? "fair.revealed" : "fair.secret")}
        </span>
      </Link>
    </li>
  );
}
