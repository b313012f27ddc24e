import type { Replay } from "@/lib/fair/games/games";
import type { Drawn } from "@/lib/fair/stream";
import { tellDraws } from "@/lib/fair/told/draws";
import { say } from "@/lib/fair/told/said";
import { useT } from "@/lib/i18n/i18n";

import { Fold } from "./steps";

/** More draws than this are folded away: machines draw dozens. */
const SHOWN = 12;

type Row = Drawn & { decided: string };

/** Every number that was drawn: from which word, below what, and what it decided. */
export function DrawTable({ game, replay }: { game: string; replay: Replay }) {
  const t = useT();
  const decided = tellDraws(game, replay.drawn);
  const rows = replay.drawn.map((one, index): Row => {
    const told = decided[index];
    return { ...one, decided: told ? say(t, told) : "" };
  });
  return (
    <>
      <Rows rows={rows.slice(0, SHOWN)} from={0} />
      {rows.length > SHOWN && (
        <Fold label={t("fair.more_draws", rows.length - SHOWN)}>
          <Rows rows={rows.slice(SHOWN)} from={SHOWN} />
        </Fold>
      )}
    </>
  );
}

function Rows({ rows, from }: { rows: readonly Row[]; from: number }) {
  const t = useT();
  const cell = "py-1.5 pr-4 align-top";
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t("fair.step_draws")}>
      <table className="w-full border-y border-line text-left text-sm">
        <thead className="text-muted">
          <tr className="border-b border-line">
            <th className={`${cell} font-normal`}>{t("fair.draw_word")}</th>
            <th className={`${cell} font-normal`}>{t("fair.draw_number")}</th>
            <th className={`${cell} font-normal`}>{t("fair.draw_decided")}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, index) => (
            <tr key={from + index}>
              <td className={`${cell} font-mono`}>
                {row.word}
                {row.thrown > 0 && (
                  <span className="block font-sans text-muted">
                    {t("fair.draw_thrown", row.thrown)}
                  </span>
                )}
              </td>
              <td className={`${cell} font-mono whitespace-nowrap`}>
                {`mod ${row.n} = `}
                <strong>{row.value}</strong>
              </td>
              <td className={cell}>{row.decided}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
