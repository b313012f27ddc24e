import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/lib/api/client";

/** The member's balance. Push keeps it fresh; an older version never wins (see lib/push). */
export const balanceQuery = queryOptions({
  queryKey: ["wallet", "balance"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/wps/v2/wallets/balance", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});
