import { type QueryClient, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Round, RoundPage } from "@/lib/api/types";

/** How many rounds a page lists. */
const LISTED = 20;

// Keys begin with "wallet": what belongs to the member is forgotten together with the balance.
export const roundsQuery = queryOptions({
  queryKey: ["wallet", "rounds"] as const,
  queryFn: ({ signal }) =>
    unwrap(api.GET("/lgw/play/rounds", { params: { query: { limit: LISTED } }, signal })),
});

export const roundQuery = (id: string) =>
  queryOptions({
    queryKey: ["wallet", "round", id] as const,
    queryFn: ({ signal }) =>
      unwrap(api.GET("/lgw/play/rounds/{id}", { params: { path: { id } }, signal })),
  });

/** Puts a round that was just played on top of the list. */
export function addRound(client: QueryClient, round: Round): void {
  client.setQueryData<RoundPage>(roundsQuery.queryKey, (page) => page && withRound(page, round));
}

export function withRound(page: RoundPage, round: Round): RoundPage {
  if (page.content.some(({ id }) => id === round.id)) return page;
  return { ...page, content: [{ ...round, balance: null }, ...page.content].slice(0, LISTED) };
}
