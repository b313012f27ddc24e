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
  return (
    <ol start={from + 1} className="grid divide-y divide-line border-y border-line">
      {rows.map((row, index) => (
        <li key={from + index} className="grid gap-x-6 py-2 sm:grid-cols-[19rem_1fr]">
          <code className="font-mono text-sm wrap-anywhere">
            {`${row.word} mod ${row.n} = `}
            <strong>{row.value}</strong>
          </code>
          <span>
            {row.decided}
            {row.thrown > 0 && (
              <span className="block text-sm text-muted">{t("fair.draw_thrown", row.thrown)}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
