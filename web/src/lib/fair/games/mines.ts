import type { FairStream } from "../stream";
import { type Multiple, multipleText, nothing, payoutOf, times } from "./multiple";
import { type GameEvent, NotAllowed, type Progress, type Terms, drawDistinct, over } from "./rules";

export type MinesChoice = { mines: number };
export type MinesAction = { pick: number } | "cashOut";

export const TILES = 25;

/** The win after one more safe tile than so many. */
export function raised(win: Multiple, safe: number, mines: number): Multiple {
  return times(win, TILES - safe, TILES - mines - safe);
}

export async function mines(
  stream: FairStream,
  terms: Terms,
  choice: MinesChoice,
  actions: readonly unknown[],
): Promise<Progress> {
  const hidden = await drawDistinct(stream, TILES, choice.mines);
  const events: GameEvent[] = [];
  const picked: number[] = [];
  let win: Multiple = { top: 99n, bottom: 100n };
  const end = (multiple: Multiple): Progress => {
    const tiles = hidden.toSorted((a, b) => a - b);
    return over([...events, { type: "mines", tiles }], multiple);
  };
  for (const action of actions as readonly MinesAction[]) {
    if (action === "cashOut") {
      if (picked.length === 0) throw new NotAllowed("nothing is won yet");
      return end(win);
    }
    const tile = action.pick;
    if (tile < 0 || tile >= TILES || picked.includes(tile)) throw new NotAllowed("tile");
    const safe = !hidden.includes(tile);
    win = safe ? raised(win, picked.length, choice.mines) : nothing;
    picked.push(tile);
    events.push({ type: "tile", tile, safe, multiplier: multipleText(win) });
    if (!safe || isAtTheEnd(win, picked.length, choice.mines, terms)) return end(win);
  }
  return { events, isOver: false, cashOut: picked.length > 0 ? win : null };
}

/** No safe tile is left, or the next would win more than the house pays. */
function isAtTheEnd(win: Multiple, safe: number, mines: number, terms: Terms): boolean {
  if (safe + mines === TILES) return true;
  return payoutOf(raised(win, safe, mines), terms.stake) > terms.most;
}
