import { type DiceChoice, chanceText, multiplierText, returnText, rollText } from "@/lib/fair/dice";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal, formatMoney, formatPercent, moneyUnits } from "@/lib/money/money";

const TARGETS = [100, 500, 1000, 2500, 3333, 4950, 6667, 9000, 9800];
const STAKES = ["1", "10", "1000"];

/** What a bet returns on average, for some targets and stakes: exact, because every roll is counted. */
export function ReturnTable({ currency }: { currency: string }) {
  const t = useT();
  const tag = useLanguageTag();
  const percent = (text: string) => formatPercent(text, tag, 2);
  const head = "px-3 py-2 text-right font-normal whitespace-nowrap first:pl-0 first:text-left";
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t("fair.returns")}>
      <table className="w-full border-y border-line text-sm">
        <thead className="text-muted">
          <tr className="border-b border-line">
            <th className={head}>{t("fair.bet")}</th>
            <th className={head}>{t("fair.chance")}</th>
            <th className={head}>{t("fair.multiplier")}</th>
            {STAKES.map((stake) => (
              <th key={stake} className={head}>
                {t("fair.return_of", formatMoney(stake, currency, tag))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {TARGETS.map((target) => {
            const choice: DiceChoice = { target, direction: "under" };
            return (
              <tr key={target} className="figures text-base">
                <th scope="row" className="py-2 pr-3 text-left whitespace-nowrap">
                  {t("fair.bet_under", rollText(target))}
                </th>
                <td className="px-3 text-right">{percent(chanceText(choice))}</td>
                <td className="px-3 text-right">{formatDecimal(multiplierText(choice), tag, 4)}</td>
                {STAKES.map((stake) => (
                  <td key={stake} className="px-3 text-right">
                    {percent(returnText(moneyUnits(stake), choice))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
