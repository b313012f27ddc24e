import { type DiceChoice, chanceText, multiplierText, returnText, rollText } from "@/lib/fair/dice";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal, formatMoney, formatPercent, moneyUnits } from "@/lib/money/money";

const TARGETS = [100, 500, 1000, 2500, 3333, 4950, 6667, 9000, 9800];
const STAKES = ["1", "10", "1000"];
/** A phone has room for one stake. */
const onPhones = (stake: string) => (stake === "10" ? "" : "max-sm:hidden");

/** What a bet returns on average, for some targets and stakes: exact, because every roll is counted. */
export function ReturnTable({ currency }: { currency: string }) {
  const t = useT();
  const tag = useLanguageTag();
  const percent = (text: string) => formatPercent(text, tag, 2);
  const head =
    "px-2 py-2 text-right align-bottom font-normal first:pl-0 first:text-left last:pr-0 sm:px-3 sm:whitespace-nowrap";
  const cell = "px-2 text-right last:pr-0 sm:px-3";
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t("fair.returns")}>
      <table className="w-full border-y border-line text-sm">
        <thead className="text-muted">
          <tr className="border-b border-line">
            <th className={head}>{t("fair.bet")}</th>
            <th className={head}>{t("fair.chance")}</th>
            <th className={head}>{t("fair.multiplier")}</th>
            {STAKES.map((stake) => (
              <th key={stake} className={`${head} ${onPhones(stake)}`}>
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
                <td className={cell}>{percent(chanceText(choice))}</td>
                <td className={cell}>{formatDecimal(multiplierText(choice), tag, 4)}</td>
                {STAKES.map((stake) => (
                  <td key={stake} className={`${cell} ${onPhones(stake)}`}>
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
