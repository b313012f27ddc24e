import { type QueryClient, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Rotation } from "@/lib/api/types";

// Keys begin with "wallet": what belongs to the member is forgotten together with the balance.
export const seedQuery = queryOptions({
  queryKey: ["wallet", "seed"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/lgw/fair/seed", { signal })),
  // Every round moves the nonce on.
  staleTime: 0,
});

/** Ends the seed in use: the server reveals it and goes on with the next one. */
export async function rotateSeed(client: QueryClient, clientSeed: string): Promise<Rotation> {
  const rotation = await unwrap(api.POST("/lgw/fair/seed/rotate", { body: { clientSeed } }));
  client.setQueryData(seedQuery.queryKey, rotation.current);
  await Promise.all([
    client.invalidateQueries({ queryKey: ["wallet", "round"] }),
    client.invalidateQueries({ queryKey: ["wallet", "rounds"] }),
  ]);
  return rotation;
}
