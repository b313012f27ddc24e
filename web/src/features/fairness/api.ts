import { type QueryClient, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "@/lib/api/client";
import type { Rotation, Round } from "@/lib/api/types";

// Keys begin with "wallet": what belongs to the member is forgotten together with the balance.
export const seedQuery = queryOptions({
  queryKey: ["wallet", "seed"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/lgw/fair/seed", { signal })),
  // Every round moves the nonce on.
  staleTime: 0,
  // The seeds may have been changed in another window.
  refetchOnWindowFocus: true,
});

/** A round made by other seeds than those known here: they were changed elsewhere, so they are loaded again. */
export function noteSeed(client: QueryClient, { seed }: Pick<Round, "seed">): void {
  const known = client.getQueryData(seedQuery.queryKey);
  if (!known || known.commitment === seed.commitment) return;
  void client.invalidateQueries({ queryKey: seedQuery.queryKey });
}

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
