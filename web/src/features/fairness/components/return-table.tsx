import { type GameReturns, returnRange, returnsOfGames } from "@/lib/fair/games/returns";
import { tellGame } from "@/lib/fair/names";
import { tellKind } from "@/lib/fair/told/choice";
import { say } from "@/lib/fair/told/said";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatPercent } from "@/lib/money/money";

import { Fold } from "./steps";

/** What every game returns of a stake in the long run, as the rules count it. */
export function ReturnTable() {
  const t = useT();
  return (
    <ul className="grid divide-y divide-line border-y border-line">
      {returnsOfGames.map((game) => (
        <li key={game.game} className="grid grid-cols-[auto_1fr] items-start gap-x-4 py-3">
          <img
            src={`/art/${game.game}.svg`}
            alt=""
            loading="lazy"
            width="45"
            height="60"
            className="leaf h-15 w-11 object-cover"
          />
          <div className="grid min-w-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <strong className="text-lg">{say(t, tellGame(game.game))}</strong>
              <Range game={game} />
            </p>
            <p className="text-sm text-muted">
              {t(game.isCounted ? "fair.counted" : "fair.played_out")}
              {game.jackpot !== null && ` ${t("fair.with_jackpot", game.jackpot)}`}
            </p>
            {game.choices.length > 1 && <Choices game={game} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Range({ game }: { game: GameReturns }) {
  const tag = useLanguageTag();
  const [low, high] = returnRange(game);
  const percent = (text: string) => formatPercent(text, tag);
  return (
    <span className="figures text-xl">
      {low === high ? percent(low) : `${percent(low)} – ${percent(high)}`}
    </span>
  );
}

function Choices({ game }: { game: GameReturns }) {
  const t = useT();
  const tag = useLanguageTag();
  return (
    <Fold label={t("fair.by_choice")}>
      <table className="w-full max-w-md text-sm">
        <tbody>
          {game.choices.map(({ choice, percent }, index) => {
            const told = tellKind(game.game, choice);
            return (
              <tr key={index}>
                <th scope="row" className="py-1 pr-4 text-left font-normal">
                  {told && say(t, told)}
                </th>
                <td className="figures py-1 text-right text-base">{formatPercent(percent, tag)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Fold>
  );
}
