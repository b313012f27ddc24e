import type { BookEvent } from "@/lib/api/types";

/** One handler for each type of event; a type without handler does not compile. */
export type Handlers = {
  [T in BookEvent["type"]]: (event: Extract<BookEvent, { type: T }>) => Promise<void> | void;
};

/** Shows a book: events in order, each finished before the next one starts. */
export async function playBook(book: readonly BookEvent[], handlers: Handlers): Promise<void> {
  for (const event of book) await handle(event, handlers);
}

function handle<E extends BookEvent>(event: E, handlers: Handlers): Promise<void> | void {
  const handler = handlers[event.type] as (event: E) => Promise<void> | void;
  return handler(event);
}
