import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { getBoot } from "@/lib/boot/boot";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";
import { buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { Money } from "@/ui/money";
import { diceMultiplier, dicePayout } from "../model";

const stake = 100;

/** Dice in small: choose a chance, see what it pays. The panes show the chance, one for each percent. */
export default function OddsCard() {
  const t = useT();
  const tag = useLanguageTag();
  const id = useId();
  const [chance, setChance] = useState(49);
  const currency = getBoot().merchant.currency;
  return (
    <div className="leaf-lg relative grid content-between gap-5 overflow-hidden border border-line bg-surface p-5">
      <div className="grid gap-1">
        <h2 className="display text-lg">{t("home.odds_title")}</h2>
        <p className="text-sm text-muted">{t("home.odds_text")}</p>
      </div>
      <ChancePanes chance={chance} />
      <div className="grid gap-2">
        <label htmlFor={id} className="flex items-baseline justify-between text-sm text-muted">
          {t("home.odds_chance")}
          <span className="figures text-lg text-ink">{formatPercent(chance, tag)}</span>
        </label>
        <input
          id={id}
          type="range"
          min="1"
          max="98"
          value={chance}
          onChange={(event) => setChance(event.target.valueAsNumber)}
          className="slider"
        />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <p className="grid">
          <span className="figures text-4xl">{t("home.times", diceMultiplier(chance))}</span>
          <span className="flex items-center gap-1.5 text-sm text-muted">
            <Money value={String(stake)} currency={currency} />
            <Icon name="right" className="size-3.5" />
            <Money value={dicePayout(stake, chance)} currency={currency} className="text-ink" />
          </span>
        </p>
        <Link
          to="/play/$gameCode"
          params={{ gameCode: "dice" }}
          className={buttonClass("plain", "md")}
        >
          {t("home.odds_go")}
          <Icon name="right" />
        </Link>
      </div>
    </div>
  );
}

/** A hundred panes in one drawing: the winning ones are lit. */
function ChancePanes({ chance }: { chance: number }) {
  const columns = 25;
  const path = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, offset) => {
      const index = from + offset;
      const column = Math.floor(index / 4);
      return `M${column * 10} ${(index % 4) * 10}h9v9h-9z`;
    }).join("");
  return (
    <svg viewBox={`0 0 ${columns * 10 - 1} 39`} className="w-full" aria-hidden="true">
      <path d={path(0, chance)} className="fill-win" />
      <path d={path(chance, 100)} className="fill-line" />
    </svg>
  );
}
