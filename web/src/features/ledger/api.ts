import { infiniteQueryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { TransferPage } from "@/lib/api/types";
import type { InclusionProof } from "@/lib/ledger/inclusion";

/** How many rows one answer may hold. */
const MOST = 100;

// The key begins with "wallet": what belongs to the member is forgotten together with the balance.
export const transfersQuery = infiniteQueryOptions({
  queryKey: ["wallet", "transfers"] as const,
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam === null ? { limit: 30 } : { limit: 30, before: pageParam };
    return unwrap(api.GET("/wps/v2/wallets/transfers", { params: { query }, signal }));
  },
  initialPageParam: null as number | null,
  getNextPageParam: (page) => page.next,
  // Something may have been played in another window.
  refetchOnWindowFocus: true,
});

/** The rows that follow a number, oldest first. */
export function loadAfter(after: number): Promise<TransferPage> {
  const query = { limit: MOST, after };
  return unwrap(api.GET("/wps/v2/wallets/transfers", { params: { query } }));
}

export const rootsQuery = infiniteQueryOptions({
  queryKey: ["ledger", "roots"] as const,
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam === null ? { limit: 30 } : { limit: 30, before: pageParam };
    return unwrap(api.GET("/wps/v2/proofs", { params: { query }, signal }));
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
});

/** The way from the member's balance to the root of a day. */
export function loadProof(day: string): Promise<InclusionProof> {
  return unwrap(api.GET("/wps/v2/wallets/proof", { params: { query: { day } } }));
}
