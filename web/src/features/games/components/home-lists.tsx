import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { GameItem } from "@/lib/api/types";
import { type Boot, getBoot } from "@/lib/boot/boot";
import { type Key, useLang, useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { type Wanted, shortListQuery } from "../api";
import { GameGrid, GridSkeleton } from "./game-grid";

const size = 6;
const gapMs = 300;

type HomeList = {
  title: Key;
  wanted: Wanted;
  search: Record<string, string>;
  /** What the document has of it already. */
  given: (boot: Boot) => GameItem[] | undefined;
};

const lists: readonly HomeList[] = [
  {
    title: "cat.new_games",
    wanted: { isNew: 1, pageSize: size },
    search: { sort: "newest" },
    given: ({ newGames }) => newGames,
  },
  {
    title: "cat.jackpot_games",
    wanted: { gameClassify: "JP", pageSize: size },
    search: { label: "JP" },
    given: ({ jackpotGames }) => jackpotGames,
  },
];

/** New games and jackpot games. What did not come with the document is asked for, one list after the other. */
export default function HomeLists() {
  const boot = getBoot();
  const missing = lists.filter(({ given }) => given(boot) === undefined);
  const [asked, setAsked] = useState(1);
  useEffect(() => {
    if (asked >= missing.length) return undefined;
    const timer = setTimeout(() => setAsked(asked + 1), gapMs);
    return () => clearTimeout(timer);
  }, [asked, missing.length]);
  return lists.map((list) => {
    const turn = missing.indexOf(list);
    return <Row key={list.title} list={list} ask={turn >= 0 && turn < asked} />;
  });
}

function Row({ list, ask }: { list: HomeList; ask: boolean }) {
  const t = useT();
  const lang = useLang();
  const { data, isError } = useQuery({ ...shortListQuery(list.wanted, lang), enabled: ask });
  const games = list.given(getBoot()) ?? data?.content;
  if (isError || games?.length === 0) return null;
  return (
    <section className="grid gap-4" aria-labelledby={list.title}>
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={list.title} className="display text-xl">
          {t(list.title)}
        </h2>
        <Link
          to="/rng"
          search={list.search}
          className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold underline-offset-4 hover:underline"
        >
          {t("cat.see_all")}
          <Icon name="right" className="size-4 text-accent-text" />
        </Link>
      </div>
      {games ? <GameGrid games={games} label={t(list.title)} /> : <GridSkeleton count={size} />}
    </section>
  );
}
