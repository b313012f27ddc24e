import { type QueryClient, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Round, RoundPage } from "@/lib/api/types";

/** How many rounds a page lists. */
const LISTED = 20;
/** How many the server gives at once. */
const MOST_LISTED = 100;

// Keys begin with "wallet": what belongs to the member is forgotten together with the balance.
export const roundsQuery = queryOptions({
  queryKey: ["wallet", "rounds"] as const,
  queryFn: ({ signal }) =>
    unwrap(api.GET("/lgw/play/rounds", { params: { query: { limit: LISTED } }, signal })),
});

/** Rounds page by page, of one game or of all. */
export const roundPagesQuery = (gameCode: string | null) =>
  infiniteQueryOptions({
    queryKey: ["wallet", "rounds", "pages", gameCode] as const,
    queryFn: ({ signal, pageParam }) => getRounds(LISTED, pageParam, gameCode, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export const roundQuery = (id: string) =>
  queryOptions({
    queryKey: ["wallet", "round", id] as const,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/lgw/play/rounds/{id}", { params: { path: { id } }, signal })),
  });

function getRounds(
  limit: number,
  cursor: string | null,
  gameCode: string | null,
  signal?: AbortSignal,
): Promise<RoundPage> {
  const query = { limit, ...(cursor && { cursor }), ...(gameCode && { gameCode }) };
  return unwrap(api.GET("/lgw/play/rounds", { params: { query }, ...(signal && { signal }) }));
}

/** Puts a round that was just played on top of the list. */
export function addRound(client: QueryClient, round: Round): void {
  client.setQueryData<RoundPage>(roundsQuery.queryKey, (page) => page && withRound(page, round));
}

export function withRound(page: RoundPage, round: Round): RoundPage {
  if (page.content.some(({ id }) => id === round.id)) return page;
  return { ...page, content: [{ ...round, balance: null }, ...page.content].slice(0, LISTED) };
}

/** Rounds of one file: about a day of playing without a pause. */
export const MOST_SAVED = 10_000;

/** All of the member's rounds, newest first, for a file; `onCount` hears how many there are so far. */
export async function loadRounds(onCount: (count: number) => void): Promise<Round[]> {
  const rounds: Round[] = [];
  let cursor: string | null = null;
  do {
    const page: RoundPage = await getRounds(MOST_LISTED, cursor, null);
    rounds.push(...page.content);
    onCount(rounds.length);
    cursor = page.next ?? null;
  } while (cursor && rounds.length < MOST_SAVED);
  return rounds;
}
