import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { PromotionCard } from "@/lib/api/types";
import { useLang, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { Skeleton } from "@/ui/skeleton";
import { promotionsQuery } from "../api";
import { PromotionPicture } from "../components/promotion-picture";
import { PromotionTime } from "../components/promotion-time";
import {
  type PromotionType,
  ofType,
  promotionTypes,
  typeInSearch,
  typeLabels,
  typeOf,
} from "../model";

const grid = "grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3";

/** What the house offers at present, by kind. */
export default function PromotionsPage() {
  const t = useT();
  const lang = useLang();
  const type = typeInSearch(useSearch({ strict: false }));
  const { data, error, refetch } = useQuery(promotionsQuery(lang));
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid gap-3">
        <h1 className="display text-3xl sm:text-4xl">{t("promo.title")}</h1>
        <p className="max-w-[62ch] text-muted">{t("promo.lead")}</p>
      </header>
      <Kinds current={type} />
      {!data && !error && <CardsSkeleton />}
      {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data && <Cards cards={ofType(data, type)} />}
    </div>
  );
}

/** Fourteen are too many for one row on a phone: the row is moved sideways, and the chosen one is in sight. */
function Kinds({ current }: { current: PromotionType }) {
  const t = useT();
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const chosen = row.current?.querySelector<HTMLElement>(`[data-kind=${current}]`);
    if (chosen && row.current) row.current.scrollLeft = chosen.offsetLeft - row.current.offsetLeft;
  }, [current]);
  return (
    <nav aria-label={t("promo.kinds")} className="min-w-0">
      <ul ref={row} className="choices -mx-4 flex gap-2 px-4 pb-1 lg:mx-0 lg:flex-wrap lg:px-0">
        {promotionTypes.map((type) => (
          <li key={type} data-kind={type} className="shrink-0">
            <Link
              to="/promotions"
              search={type === "ALL" ? {} : { type }}
              replace
              resetScroll={false}
              aria-current={type === current ? "page" : undefined}
              activeOptions={exactly}
              className="leaf inline-flex min-h-11 min-w-11 items-center justify-center border border-line px-4 text-sm font-semibold text-muted hover:bg-raised aria-[current=page]:border-ink aria-[current=page]:text-ink"
            >
              {t(typeLabels[type])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
const exactly = { exact: true, includeSearch: true } as const;

function Cards({ cards }: { cards: readonly PromotionCard[] }) {
  const t = useT();
  if (cards.length === 0) {
    return (
      <EmptyState title={t("promo.none")} text={t("promo.none_text")}>
        <Link to="/promotions" search={{}} className={buttonClass()}>
          {t("promo.see_all")}
        </Link>
      </EmptyState>
    );
  }
  return (
    <ul className={`${grid} min-h-[60vh] content-start`}>
      {cards.map((card) => (
        <li key={card.id}>
          <Card card={card} />
        </li>
      ))}
    </ul>
  );
}

function Card({ card: { slug, type, title, summary, image, endsAt } }: { card: PromotionCard }) {
  const t = useT();
  return (
    <article className="leaf-lg relative grid h-full grid-rows-[auto_1fr] overflow-hidden border border-line bg-surface focus-within:border-ink hover:border-line-strong">
      <PromotionPicture image={image} className="aspect-[16/7]" />
      <div className="grid content-start gap-2 p-5">
        <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
          <span className="eyebrow">{t(typeLabels[typeOf(type)])}</span>
          <PromotionTime endsAt={endsAt} />
        </p>
        <h2 className="display text-xl text-balance">
          <Link
            to="/promotions/$slug"
            params={{ slug }}
            data-name
            className="card-link inline-flex min-h-11 items-center outline-offset-4 after:absolute after:inset-0"
          >
            {title}
          </Link>
        </h2>
        <p data-name className="text-muted">
          {summary}
        </p>
      </div>
    </article>
  );
}

function CardsSkeleton() {
  return (
    <div className={`${grid} min-h-[60vh] content-start`} aria-busy="true">
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} className="h-80" />
      ))}
    </div>
  );
}
