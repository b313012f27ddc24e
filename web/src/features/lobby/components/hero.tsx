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

/** What the house stands for, in one line, and the way to play. */
export function Hero({ gameCode, returnPercent, onTry, trying }: HeroProps) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <section className="grid items-end gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid gap-2.5">
        <p className="eyebrow">{t("home.eyebrow")}</p>
        <h1 className="display text-balance text-[min(1.9rem,7.4vw)] sm:text-4xl md:text-[1.95rem]">
          {t("home.headline")}
        </h1>
        <p className="max-w-[52ch] text-muted">{t("home.promise")}</p>
      </div>
      <div className="grid gap-3">
        <p className="flex items-baseline gap-2.5">
          <span className="figures text-3xl">{formatPercent(returnPercent, tag)}</span>
          <span className="text-sm text-muted">{t("home.return_of_dice")}</span>
        </p>
        <div className="flex flex-wrap gap-3">
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
    </section>
  );
}
