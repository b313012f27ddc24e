import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Round } from "@/lib/api/types";

import type { Choice } from "../protocol";

// The key begins with "wallet": what belongs to the member is forgotten together with the balance.
export const launchQuery = (gameCode: string) =>
  queryOptions({
    queryKey: ["wallet", "launch", gameCode] as const,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/wps/game/launchGame", { params: { query: { gameCode } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** One bet on its way to the server; the key makes a repeated call the same bet. */
export type Play = (stake: string, choice: Choice, key: string) => Promise<Round>;

export const playDice: Play = (stake, { target, direction }, key) =>
  unwrap(
    api.POST("/lgw/play/dice", {
      body: { stake, target, direction },
      params: { header: { "Idempotency-Key": key } },
    }),
  );
