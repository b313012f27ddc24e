import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Balance, WinnerEntry } from "@/lib/api/types";
import { dropCopies } from "@/lib/session-cache";
import type { PushEvent, Topic } from "./frames";
import { pushed, winnersShown } from "./keys";
import { reload } from "./reload";

const fedBy: Readonly<Record<Topic, readonly QueryKey[]>> = {
  member: [pushed.balance, pushed.feedback, pushed.application],
  winners: [pushed.winners],
  // Everything that depends on the operator's settings.
  site: [["site"]],
};

const nodesAgreeAfter = 1_200;

/** The newer of two balances: an older version never wins, whichever way it came. */
export function newerBalance(old: Balance | undefined, next: Balance): Balance {
  const known = old !== undefined && old.currency === next.currency && old.version >= next.version;
  return known ? old : next;
}

export function withWinner(list: readonly WinnerEntry[], entry: WinnerEntry): WinnerEntry[] {
  const same = (other: WinnerEntry) =>
    other.at === entry.at &&
    other.customerName === entry.customerName &&
    other.winAmount === entry.winAmount;
  return list.some(same) ? [...list] : [entry, ...list].slice(0, winnersShown);
}

/** Writes a pushed event into the query cache. `session_ended` is the caller's business. */
export function applyPush(client: QueryClient, event: PushEvent): void {
  switch (event.type) {
    case "balance":
      client.setQueryData<Balance>(pushed.balance, (old) => newerBalance(old, event.balance));
      return;
    case "winner":
      if (client.getQueryData(pushed.winners) === undefined) reload(client, pushed.winners);
      client.setQueryData<WinnerEntry[]>(
        pushed.winners,
        (old) => old && withWinner(old, event.entry),
      );
      return;
    case "settings":
      dropCopies();
      reloadTopics(client, ["site"]);
      // Whoever answers may be a node that is a second behind.
      setTimeout(() => reloadTopics(client, ["site"]), nodesAgreeAfter);
      return;
    case "feedback":
      reload(client, pushed.feedback);
      return;
    case "affiliate":
      reload(client, pushed.application);
      return;
    case "session_ended":
      return;
    default:
      event satisfies never;
  }
}

/** After a gap, everything that the topics feed is loaded again. */
export function reloadTopics(client: QueryClient, topics: readonly Topic[]): void {
  for (const topic of topics) {
    for (const queryKey of fedBy[topic]) reload(client, queryKey);
  }
}
