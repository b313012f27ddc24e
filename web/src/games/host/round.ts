import { isApiError } from "@/lib/api/client";

import type { Action, Choice } from "../protocol";
import type { Act, Play, PlayedRound } from "./api";

/** Waits between tries while the line is down. */
const WAITS = [400, 1200, 3000];

export type Rounds = {
  start: (requestId: string, stake: string, choice: Choice) => Promise<PlayedRound>;
  act: (requestId: string, roundId: string, step: number, action: Action) => Promise<PlayedRound>;
};

type Tools = { newKey?: () => string; pause?: (ms: number) => Promise<void> };

/**
 * Turns the frame's requests into bets and steps. Every request has one key, however often it is sent: a lost answer
 * is asked for again and never becomes a second bet. A step needs no key: its number says which one it is.
 */
export function roundCalls(
  calls: { play: Play; act: Act },
  { newKey = () => crypto.randomUUID(), pause = wait }: Tools = {},
): Rounds {
  const begun = new Map<string, Promise<PlayedRound>>();
  const once = (requestId: string, call: (key: string) => Promise<PlayedRound>) => {
    const known = begun.get(requestId);
    if (known) return known;
    const key = newKey();
    const round = persist(() => call(key), pause);
    begun.set(requestId, round);
    return round;
  };
  return {
    start: (requestId, stake, choice) => once(requestId, (key) => calls.play(stake, choice, key)),
    act: (requestId, roundId, step, action) =>
      once(requestId, () => calls.act(roundId, step, action)),
  };
}

async function persist<T>(
  call: () => Promise<T>,
  pause: (ms: number) => Promise<void>,
): Promise<T> {
  for (const ms of WAITS) {
    try {
      return await call();
    } catch (error) {
      if (!isUnsure(error)) throw error;
      await pause(ms);
    }
  }
  return call();
}

/** True when nobody knows whether the bet was taken: no answer came, or none of the server itself. */
export function isUnsure(error: unknown): boolean {
  return isApiError(error) && (error.code === "network" || error.status >= 502);
}

/** True when the round stands elsewhere than the frame believes: it is asked for again. */
export function isAstray(error: unknown): boolean {
  const code = isApiError(error) ? String(error.code) : "";
  return code === "games.round_open" || code === "games.round_moved_on" || isUnsure(error);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
