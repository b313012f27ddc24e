import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Launch, Round } from "@/lib/api/types";

import type { Action, Choice, GameRound } from "../protocol";

// The key begins with "wallet": what belongs to the member is forgotten together with the balance.
export const launchQuery = (gameCode: string) =>
  queryOptions({
    queryKey: ["wallet", "launch", gameCode] as const,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/wps/game/launchGame", { params: { query: { gameCode } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    // Limits, maintenance and policies may have changed when the game is opened the next time.
    gcTime: 0,
  });

/** A round as the server tells it: what the frame needs, and what the page keeps. */
export type PlayedRound = Round & GameRound;

/** One bet on its way to the server; the key makes a repeated call the same bet. */
export type Play = (stake: string, choice: Choice, key: string) => Promise<PlayedRound>;
/** One step of an open round; its number makes a repeated call the same step. */
export type Act = (roundId: string, step: number, action: Action) => Promise<PlayedRound>;

/** Calls whose types are not generated yet. */
type Call<V> = Promise<{ data?: { value: V }; error?: unknown; response: Response }>;
type Sent = {
  body?: unknown;
  params?: { path?: object; query?: object; header?: object };
  signal?: AbortSignal;
};
const calls = api as unknown as {
  GET: <V>(path: string, sent: Sent) => Call<V>;
  POST: <V>(path: string, sent: Sent) => Call<V>;
};

export const playOf =
  (gameCode: string): Play =>
  (stake, choice, key) =>
    unwrap(
      calls.POST<PlayedRound>("/lgw/play/{gameCode}", {
        body: { stake, choice },
        params: { path: { gameCode }, header: { "Idempotency-Key": key } },
      }),
    );

export const act: Act = (id, step, action) =>
  unwrap(
    calls.POST<PlayedRound>("/lgw/play/rounds/{id}/actions", {
      body: { step, action },
      params: { path: { id } },
    }),
  );

/** The member's open round of a game. */
export function openRound(gameCode: string): Promise<PlayedRound | null> {
  return unwrap(
    calls.GET<PlayedRound | null>("/lgw/play/open", { params: { query: { gameCode } } }),
  );
}

export type Jackpot = { pool: string; currency: string; amount: string; games: readonly string[] };

/** How often a pool is asked for while a game that feeds it is open. */
const POOL_MS = 10_000;

export const jackpotsQuery = (gameCode: string) =>
  queryOptions({
    queryKey: ["games", "jackpots"] as const,
    queryFn: ({ signal }) =>
      unwrap(calls.GET<readonly Jackpot[]>("/lgw/games/jackpots", { signal })),
    staleTime: POOL_MS,
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.some(({ games }) => games.includes(gameCode)) ? POOL_MS : false,
  });

/** The pool that a game feeds in a currency. */
export function poolOf(
  jackpots: readonly Jackpot[] | undefined,
  gameCode: string,
  currency: string,
): string | null {
  const pool = jackpots?.find((one) => one.currency === currency && one.games.includes(gameCode));
  return pool?.amount ?? null;
}

/** What the launch says beside its generated type. */
export type GameLaunch = Launch & { autoPlay?: boolean };
