import type { Search } from "../address";
import { startOfDay } from "../clock";
import type { FindMessages } from "./api";
import { allChannels, allMessageStates } from "./kinds";

/** Rows of a page. */
export const pageSize = 50;

/** What is looked for: days as `yyyy-MM-dd`, the last of them included. */
export const filterNames = ["channel", "state", "to", "from", "until"] as const;
export type MessagesFilter = Record<(typeof filterNames)[number], string>;

export function readFilter(search: Search): MessagesFilter {
  const given = filterNames.map((name) => [name, search[name] ?? ""]);
  return Object.fromEntries(given) as MessagesFilter;
}

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same as a question to the server. What makes no sense is left out. */
export function queryOf(search: Search): FindMessages {
  const { channel, state, to, from, until } = readFilter(search);
  const [begin, end] = [startOfDay(from), startOfDay(until, 1)];
  const before = search["before"] ?? "";
  return {
    limit: pageSize,
    ...(allChannels.includes(channel) && { channel }),
    ...(allMessageStates.includes(state) && { state }),
    ...(to.trim() && { to: to.trim() }),
    ...(begin && { from: begin }),
    ...(end && { until: end }),
    ...(idShape.test(before) && { before }),
  };
}
