import type { GameEvent } from "@/lib/fair/games/rules";
import { type Context, reelsIn, tellEvent } from "@/lib/fair/told/events";
import { say } from "@/lib/fair/told/said";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";

type BookListProps = {
  events: readonly GameEvent[];
  /** What was recorded, to show beside what differs. */
  claimed?: readonly GameEvent[] | null;
  /** The first event that differs. */
  other?: number | null;
  context: Context;
};

/** What happened in a round, event by event, in words. */
export function BookList({ events, claimed = null, other = null, context }: BookListProps) {
  const t = useT();
  const recorded = other === null ? undefined : claimed?.[other];
  const words = (event: GameEvent) => say(t, tellEvent(event, context));
  return (
    <ol className="grid gap-2 border-y border-line py-3">
      {events.map((event, index) => (
        <li
          key={index}
          className={`grid gap-1.5 ${index === other ? "leaf border border-live p-3" : ""}`}
        >
          <p className={event.type === "payout" ? "font-semibold" : ""}>{words(event)}</p>
          <Reels event={event} />
          {index === other && (
            <p className="flex items-start gap-2 text-live-text">
              <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
              {recorded ? t("fair.recorded", words(recorded)) : t("fair.not_recorded")}
            </p>
          )}
        </li>
      ))}
      {other !== null && other >= events.length && recorded && (
        <li className="leaf flex items-start gap-2 border border-live p-3 text-live-text">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
          {t("fair.only_recorded", words(recorded))}
        </li>
      )}
    </ol>
  );
}

/** The symbols of a spin by their numbers, as they lie. */
function Reels({ event }: { event: GameEvent }) {
  const rows = reelsIn(event);
  if (!rows) return null;
  return (
    <table className="figures w-fit border-collapse text-center">
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((symbol, reel) => (
              <td key={reel} className="size-8 border border-line bg-surface">
                {symbol}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
