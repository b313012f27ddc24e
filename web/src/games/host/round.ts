import { isApiError } from "@/lib/api/client";
import type { Round } from "@/lib/api/types";

import type { Choice } from "../protocol";
import type { Play } from "./api";

/** Waits between tries while the line is down. */
const WAITS = [400, 1200, 3000];

export type StartRound = (requestId: string, stake: string, choice: Choice) => Promise<Round>;

type Tools = { newKey?: () => string; pause?: (ms: number) => Promise<void> };

/**
 * Turns the frame's requests into bets. Every request has one key, however often it is sent: a lost
 * answer is asked for again and never becomes a second bet.
 */
export function roundStarter(
  play: Play,
  { newKey = () => crypto.randomUUID(), pause = wait }: Tools = {},
): StartRound {
  const started = new Map<string, Promise<Round>>();
  return (requestId, stake, choice) => {
    const known = started.get(requestId);
    if (known) return known;
    const key = newKey();
    const round = persist(() => play(stake, choice, key), pause);
    started.set(requestId, round);
    return round;
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

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
