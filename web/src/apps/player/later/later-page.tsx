import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PopularGrid } from "@/features/games/components/elsewhere";
import { type Key, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";

type LaterPageProps = {
  title: Key;
  /** What it will be. */
  text: Key;
  /** What will be found there, one sentence each. */
  points: readonly Key[];
  children?: ReactNode;
};

/** A product that is not open yet: what it will be, that it is not there, and what can be done meanwhile. */
export function LaterPage({ title, text, points, children }: LaterPageProps) {
  const t = useT();
  return (
    <div className="grid gap-10">
      <section className="leaf-lg relative grid justify-items-start gap-5 overflow-hidden border border-line bg-surface p-6 sm:p-10 lg:p-14">
        <div
          className="lattice lattice-right absolute inset-y-0 right-0 w-1/2 max-sm:hidden"
          aria-hidden="true"
        />
        <p className="eyebrow relative">{t("later.eyebrow")}</p>
        <h1 className="display relative max-w-[18ch] text-[min(2.1rem,8vw)] sm:text-5xl">
          {t(title)}
        </h1>
        <p className="relative max-w-[56ch] text-muted sm:text-lg">{t(text)}</p>
        <ul className="relative grid gap-2">
          {points.map((point) => (
            <li key={point} className="flex max-w-[56ch] gap-3">
              <Icon name="check" className="mt-0.5 size-5 shrink-0 text-accent-text" />
              {t(point)}
            </li>
          ))}
        </ul>
        {children}
        <p className="relative max-w-[56ch] text-sm text-muted">{t("later.honest")}</p>
        <div className="relative flex flex-wrap gap-3">
          <Link to="/rng" className={buttonClass("main", "lg")}>
            {t("later.play")}
          </Link>
          <Link to="/promotions" className={buttonClass("plain", "lg", "bg-surface")}>
            {t("nav.promotions")}
          </Link>
        </div>
      </section>
      <section className="grid gap-4" aria-labelledby="meanwhile">
        <h2 id="meanwhile" className="display text-xl">
          {t("later.meanwhile")}
        </h2>
        <PopularGrid />
      </section>
    </div>
  );
}
