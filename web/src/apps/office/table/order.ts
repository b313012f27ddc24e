/** An order as the address writes it: `name`, or `-name` for the other way round. */
export type Order = string;

/** The order after a press on a column: up, then down. */
export function nextOrder(now: Order | undefined, id: string): Order {
  return now === id ? `-${id}` : id;
}

export function directionOf(now: Order | undefined, id: string): "ascending" | "descending" | null {
  if (now === id) return "ascending";
  return now === `-${id}` ? "descending" : null;
}

type Sortable<R> = { id: string; compare?: ((a: R, b: R) => number) | undefined };

/** The rows of a list that came whole, in an order. An order that no column knows changes nothing. */
export function inOrder<R>(
  rows: readonly R[],
  columns: readonly Sortable<R>[],
  order: Order | undefined,
): readonly R[] {
  const compare = columns.find(({ id }) => directionOf(order, id) !== null)?.compare;
  if (!compare) return rows;
  const turn = order?.startsWith("-") ? -1 : 1;
  return rows.toSorted((a, b) => turn * compare(a, b));
}
