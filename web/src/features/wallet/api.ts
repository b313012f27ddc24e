import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/lib/api/client";
import type { Balance } from "@/lib/api/types";
import { newerBalance } from "@/lib/push/apply";
import { pushed } from "@/lib/push/keys";
import { withCopy } from "@/lib/session-cache";

/** The member's balance. Push keeps it fresh; an older version never wins (see lib/push). */
export const balanceQuery = queryOptions({
  queryKey: pushed.balance,
  queryFn: async ({ signal, client }): Promise<Balance> => {
    const answer = await unwrap(api.GET("/wps/v2/wallets/balance", { signal }));
    // It may be older than what was pushed while it was on its way.
    return newerBalance(client.getQueryData<Balance>(pushed.balance), answer);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** The studios whose games are played from the one wallet. */
export const coveredVendorsQuery = queryOptions({
  queryKey: ["games", "covered"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/lgw/games/vendors", { signal })),
  staleTime: 60_000,
  persister: withCopy,
});
