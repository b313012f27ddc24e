import type { GameEvent } from "@/lib/fair/games/rules";
import { type Context, reelsIn, tellEvent } from "@/lib/fair/told/events";
import { say } from "@/lib/fair/told/said";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";

import { Fold } from "./steps";

type BookListProps = {
  events: readonly GameEvent[];
  /** What was recorded, to show beside what differs. */
  claimed?: readonly GameEvent[] | null;
  /** The first event that differs. */
  other?: number | null;
  context: Context;
};

/** More events than this are folded away: free spins make many. */
const SHOWN = 16;

/** What happened in a round, event by event, in words. */
export function BookList({ events, claimed = null, other = null, context }: BookListProps) {
  const t = useT();
  const recorded = other === null ? undefined : claimed?.[other];
  const words = (event: GameEvent) => say(t, tellEvent(event, context));
  const item = (event: GameEvent, index: number) => (
    <li
      key={index}
      className={`grid gap-1.5 ${index === other ? "leaf border border-live p-3" : ""}`}
    >
      <p className={event.type === "payout" ? "font-semibold" : ""}>{words(event)}</p>
      <Reels event={event} context={context} />
      {index === other && (
        <Differs text={recorded ? t("fair.recorded", words(recorded)) : t("fair.not_recorded")} />
      )}
    </li>
  );
  const rest = events.slice(SHOWN);
  const isOther = other !== null && other >= SHOWN;
  return (
    <div className="grid gap-2 border-y border-line py-3">
      <ol className="grid gap-2">{events.slice(0, SHOWN).map(item)}</ol>
      {rest.length > 0 && (
        <Fold label={t("fair.more_events", rest.length)} isOpen={isOther}>
          <ol start={SHOWN + 1} className="grid gap-2">
            {rest.map((event, index) => item(event, SHOWN + index))}
          </ol>
        </Fold>
      )}
      {other !== null && other >= events.length && recorded && (
        <Differs text={t("fair.only_recorded", words(recorded))} />
      )}
    </div>
  );
}

function Differs({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-2 text-live-text">
      <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
      {text}
    </p>
  );
}

/** The symbols of a spin, as they lie. */
function Reels({ event, context }: { event: GameEvent; context: Context }) {
  const t = useT();
  const rows = reelsIn(event, context);
  if (!rows) return null;
  return (
    <table className="w-full max-w-136 table-fixed border-collapse text-center text-xs leading-tight">
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((symbol, reel) => (
              <td key={reel} className="h-9 border border-line bg-surface p-0.5 wrap-anywhere">
                {say(t, symbol)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
