import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { getBoot } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { shortListQuery } from "../api";
import { iconOf, labelOf, pathOf } from "../categories";
import { GameGrid, GridSkeleton } from "./game-grid";

type ElsewhereProps = { title: string; text: string; children?: ReactNode };

/** Where there is nothing: why, and where there is something. */
export function Elsewhere({ title, text, children }: ElsewhereProps) {
  const t = useT();
  return (
    <div className="grid gap-8">
      <div className="leaf-lg relative grid justify-items-start gap-4 overflow-hidden border border-line bg-surface p-6 sm:p-10">
        <div
          className="lattice lattice-right absolute inset-y-0 right-0 w-3/5"
          aria-hidden="true"
        />
        <h2 className="display relative text-2xl text-balance">{title}</h2>
        <p className="relative max-w-[46ch] text-muted">{text}</p>
        <div className="relative flex flex-wrap gap-3">{children ?? <CategoryLinks />}</div>
      </div>
      <section className="grid gap-4" aria-labelledby="popular">
        <h2 id="popular" className="display text-xl">
          {t("cat.popular")}
        </h2>
        <PopularGrid />
      </section>
    </div>
  );
}

/** The categories that have games. */
export function CategoryLinks() {
  const t = useT();
  return getBoot().menus.map(({ gameCategory }) => {
    const path = pathOf(gameCategory);
    return (
      path && (
        // The lattice lies below: a ground of their own keeps the words legible.
        <Link key={path} to={path} className={`${buttonClass("plain", "md")} bg-surface`}>
          <Icon name={iconOf(path)} />
          {t(labelOf(path))}
        </Link>
      )
    );
  });
}

/** Games that can be started now. */
export function PopularGrid({ without, most = 6 }: { without?: string; most?: number }) {
  const t = useT();
  const lang = useLang();
  const { data, isError } = useQuery(shortListQuery({ pageSize: 24 }, lang));
  if (isError) return <p className="text-muted">{t("cat.failed")}</p>;
  if (!data) return <GridSkeleton count={most} />;
  const open = data.content.filter((game) => !game.maintenance && game.gameCode !== without);
  return <GameGrid games={open.slice(0, most)} label={t("cat.popular")} />;
}
