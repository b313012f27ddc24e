import type { Search } from "../address";
import type { FindRows } from "../api";
import { startOfDay } from "../clock";

/** Rows of a page. */
export const pageSize = 50;

/** What is looked for: days as `yyyy-MM-dd`, the last of them included. */
export const filterNames = ["actor", "action", "subject", "from", "until"] as const;
export type TrailFilter = Record<(typeof filterNames)[number], string>;

/** One thing by its id, or a role: as such it may stand in an address. Names of people are none. */
const plainSubject = /^(?:[a-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|role:[a-z]+)$/;

/** Spaces around it are left as they are: it may be what somebody is typing. */
const isPlain = (subject: string) => plainSubject.test(subject.trim());

/** What rows of this subject are asked for by. */
export function subjectSearch(subject: string): Search {
  return isPlain(subject) ? { of: subject, subject: undefined } : { subject, of: undefined };
}

export function readFilter(search: Search): TrailFilter {
  const { of = "", subject = isPlain(of) ? of : "" } = search;
  const given = filterNames.map((name) => [name, search[name] ?? ""]);
  return { ...(Object.fromEntries(given) as TrailFilter), subject };
}

/** The same as a question to the server. What makes no sense is left out. */
export function queryOf(search: Search): FindRows {
  const { actor, action, subject, from, until } = readFilter(search);
  const begin = startOfDay(from);
  const end = startOfDay(until, 1);
  return {
    ...(actor.trim() && { actor: actor.trim() }),
    ...(action && { action }),
    ...(subject.trim() && { subject: subject.trim() }),
    ...(begin && { from: begin }),
    ...(end && { until: end }),
  };
}

/** Rows older than this number, where the address asks for them. */
export function olderThan(search: Search): number | undefined {
  const before = Number(search["before"]);
  return Number.isSafeInteger(before) && before > 0 ? before : undefined;
}
