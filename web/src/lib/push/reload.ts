import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";

const awaited = new WeakSet<Query>();

/**
 * Loads again what lies under a key, because it has changed. A fetch that is under way may have been answered before
 * the change; invalidating alone would let a first one stand, and one that nobody looks at.
 */
export function reload(client: QueryClient, queryKey: QueryKey): void {
  const missed = client.getQueryCache().findAll({ queryKey, predicate: wouldStand });
  void client.invalidateQueries({ queryKey });
  for (const query of missed) void reloadAfterwards(client, query);
}

function wouldStand(query: Query): boolean {
  const { fetchStatus, data } = query.state;
  return fetchStatus !== "idle" && (data === undefined || !query.isActive());
}

async function reloadAfterwards(client: QueryClient, query: Query): Promise<void> {
  if (awaited.has(query)) return;
  awaited.add(query);
  // Joins the fetch that is under way.
  await query.fetch().catch(() => undefined);
  awaited.delete(query);
  await client.invalidateQueries({ queryKey: query.queryKey, exact: true });
}
