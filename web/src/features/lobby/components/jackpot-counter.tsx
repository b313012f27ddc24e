import { useEffect, useState } from "react";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal } from "@/lib/money/money";
import { pageChance } from "@/lib/random";
import { figureStands, figureText, firstFigure, nextFigure } from "../jackpot";
import { useHiddenTab } from "../motion";
import { PauseButton } from "./pause-button";

const chance = pageChance();

/** A figure that grows. It is a show, and it says so where it is read. */
export function JackpotCounter() {
  const t = useT();
  const tag = useLanguageTag();
  const [figure, setFigure] = useState(() => firstFigure(chance));
  const [paused, setPaused] = useState(false);
  const hidden = useHiddenTab();
  const stands = paused || hidden;
  useEffect(() => {
    if (stands) return undefined;
    const next = nextFigure(figure, chance);
    const timer = setTimeout(() => setFigure(next), figureStands(chance));
    return () => clearTimeout(timer);
  }, [figure, stands]);
  return (
    <section
      aria-labelledby="jackpot-counter"
      className="leaf-lg grid overflow-hidden border border-line bg-surface md:grid-cols-[minmax(0,1fr)_13rem]"
    >
      <div className="grid gap-2 p-5 sm:p-6">
        <div className="flex items-center justify-between gap-4">
          <h2 id="jackpot-counter" className="eyebrow">
            {t("home.counter")}
          </h2>
          <PauseButton
            paused={paused}
            label={t(paused ? "home.counter_go" : "home.counter_pause")}
            onToggle={() => setPaused(!paused)}
            className="-my-3 -mr-2 text-muted hover:text-ink"
          />
        </div>
        <p className="figures text-[min(2.75rem,10.5vw)] leading-none md:text-6xl">
          {formatDecimal(figureText(figure), tag, 2)}
        </p>
        <p className="max-w-[60ch] text-sm text-muted">{t("home.counter_note")}</p>
      </div>
      <div className="lattice lattice-right h-10 md:h-auto" aria-hidden="true" />
    </section>
  );
}
