import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useFreePlay } from "@/features/auth/free-play";
import { openRegister } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { isApiError } from "@/lib/api/client";
import type { PromotionDetail } from "@/lib/api/types";
import { isSwitchedOn } from "@/lib/boot/boot";
import { useLang, useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { SafeHtml } from "@/ui/safe-html";
import { Skeleton } from "@/ui/skeleton";
import { promotionQuery } from "../api";
import { PromotionPicture } from "../components/promotion-picture";
import { PromotionTime } from "../components/promotion-time";
import { typeLabels, typeOf } from "../model";

const shape = "leaf-lg aspect-[16/7] lg:aspect-video";
const head = "grid grid-cols-1 items-center gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-8";

/** One promotion: what it is, how it works, its terms. */
export default function PromotionPage() {
  const t = useT();
  const lang = useLang();
  const { slug = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(promotionQuery(slug, lang));
  const over = isApiError(error) && error.status === 404;
  return (
    // As high as the screen: the footer stays below it, whatever the answer is.
    <div className="grid min-h-dvh grid-cols-1 content-start gap-6">
      <Link
        to="/promotions"
        search={{}}
        className="inline-flex min-h-11 w-fit items-center font-semibold text-muted underline-offset-4 hover:underline"
      >
        {t("promo.back")}
      </Link>
      {!data && !error && <PromotionSkeleton />}
      {over && !data && <Over />}
      {error && !over && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {data && <Whole promotion={data} />}
    </div>
  );
}

function Whole({ promotion }: { promotion: PromotionDetail }) {
  const t = useT();
  const { type, title, summary, image, endsAt, content, terms } = promotion;
  return (
    <article className="grid grid-cols-1 gap-8">
      <div className={head}>
        <div className="grid gap-3 max-lg:order-last">
          <p className="flex flex-wrap gap-x-5 text-sm text-muted">
            <span className="eyebrow">{t(typeLabels[typeOf(type)])}</span>
            <PromotionTime endsAt={endsAt} />
          </p>
          <h1 data-name className="display text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
            {title}
          </h1>
          <p data-name className="max-w-[62ch] text-lg">
            {summary}
          </p>
          {typeOf(type) === "NEWPLAYER" && <Begin />}
        </div>
        <PromotionPicture image={image} className={shape} />
      </div>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <SafeHtml html={content} />
        <section
          aria-labelledby="promotion-terms"
          className="leaf-lg grid min-w-0 gap-3 border border-line bg-surface p-5"
        >
          <h2 id="promotion-terms" className="display text-lg">
            {t("promo.terms")}
          </h2>
          <SafeHtml html={terms} className="text-sm" />
        </section>
      </div>
    </article>
  );
}

/** What is for newcomers has the ways in beside it. */
function Begin() {
  const t = useT();
  const { start, busy } = useFreePlay();
  if (useSession().kind !== "visitor") return null;
  return (
    <div className="flex flex-wrap gap-3 pt-1">
      <Button variant="main" busy={busy} onClick={() => void start()}>
        {t("home.try_free")}
      </Button>
      {isSwitchedOn("DIRECTREG3") && (
        <Button onClick={() => openRegister()}>{t("header.join")}</Button>
      )}
    </div>
  );
}

function Over() {
  const t = useT();
  return (
    <>
      <h1 className="display text-3xl sm:text-4xl">{t("promo.title")}</h1>
      <EmptyState title={t("promo.over")} text={t("promo.over_text")}>
        <Link to="/promotions" search={{}} className={buttonClass()}>
          {t("promo.see_all")}
        </Link>
      </EmptyState>
    </>
  );
}

function PromotionSkeleton() {
  return (
    <div className="grid min-h-[70vh] content-start gap-8" aria-busy="true">
      <div className={head}>
        <Skeleton className="h-24 max-lg:order-last" />
        <Skeleton className={shape} />
      </div>
      <Skeleton className="h-96" />
    </div>
  );
}
