import { Link } from "@tanstack/react-router";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";
import { Button, buttonClass } from "@/ui/button";

type HeroProps = {
  gameCode: string;
  returnPercent: string;
  /** Starts a demo account; absent for those who are logged in. */
  onTry: (() => void) | undefined;
  trying: boolean;
};

export function Hero({ gameCode, returnPercent, onTry, trying }: HeroProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <section className="leaf-lg relative grid overflow-hidden border border-line bg-surface md:grid-cols-[1.5fr_1fr]">
      <div className="relative z-10 grid content-center gap-4 p-6 pb-7 md:gap-5 md:p-9 md:py-12">
        <p className="eyebrow">{t("home.eyebrow")}</p>
        <h1 className="display text-balance text-[min(2.1rem,8vw)] sm:text-5xl md:text-[2.35rem] lg:text-[2.65rem]">
          {t("home.headline")}
        </h1>
        <p className="max-w-[34ch] text-muted md:text-lg">{t("home.promise")}</p>
        <p className="flex items-baseline gap-3">
          <span className="figures text-4xl md:text-5xl">{formatPercent(returnPercent, tag)}</span>
          <span className="text-sm text-muted">{t("home.return_of_dice")}</span>
        </p>
        <div className="flex flex-wrap gap-3 pt-1">
          <Link to="/play/$gameCode" params={{ gameCode }} className={buttonClass("main", "lg")}>
            {t("home.play_now")}
          </Link>
          {onTry && (
            <Button size="lg" className="visitor-only" busy={trying} onClick={onTry}>
              {t("home.try_free")}
            </Button>
          )}
        </div>
      </div>
      <div className="relative max-md:h-44 max-md:border-b max-md:border-line max-md:[grid-row:1]">
        <img
          src={`/art/${gameCode}-wide.svg`}
          alt=""
          width="640"
          height="480"
          fetchPriority="high"
          className="absolute inset-0 size-full object-cover"
        />
      </div>
    </section>
  );
}
