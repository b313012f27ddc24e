import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Round } from "@/lib/api/types";

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

/** The document leaves open what choices, actions and events are: every game has its own, and all are plain JSON. */
const asPlayed = (round: Round): PlayedRound => round as PlayedRound;

export const playOf =
  (gameCode: string): Play =>
  async (stake, choice, key) => {
    const call = api.POST("/lgw/play/{gameCode}", {
      body: { stake, choice },
      params: { path: { gameCode }, header: { "Idempotency-Key": key } },
    });
    return asPlayed(await unwrap(call));
  };

export const act: Act = async (id, step, action) => {
  const call = api.POST("/lgw/play/rounds/{id}/actions", {
    body: { step, action },
    params: { path: { id } },
  });
  return asPlayed(await unwrap(call));
};

/** The member's open round of a game. */
export async function openRound(gameCode: string): Promise<PlayedRound | null> {
  const round = await unwrap(api.GET("/lgw/play/open", { params: { query: { gameCode } } }));
  return round && asPlayed(round);
}

/** How often a pool is asked for while a game that feeds it is open. */
const POOL_MS = 10_000;

export const jackpotsQuery = (gameCode: string) =>
  queryOptions({
    queryKey: ["games", "jackpots"] as const,
    queryFn: ({ signal }) => unwrap(api.GET("/lgw/games/jackpots", { signal })),
    staleTime: POOL_MS,
    refetchInterval: ({ state }) =>
      state.data?.some(({ games }) => games.includes(gameCode)) ? POOL_MS : false,
  });

type Pool = { currency: string; amount: string; games: readonly string[] };

/** The pool that a game feeds in a currency. */
export function poolOf(
  jackpots: readonly Pool[] | undefined,
  gameCode: string,
  currency: string,
): string | null {
  const pool = jackpots?.find((one) => one.currency === currency && one.games.includes(gameCode));
  return pool?.amount ?? null;
}
