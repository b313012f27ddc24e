import type { Person } from "../api";
import type { OfficePath, Search } from "../address";
import type { FoundThing } from "../members/api";

/** Somewhere to go: a page, a person, or what the server has found. */
export type Jump = {
  id: string;
  kind: "page" | "person" | "member" | "round" | "transfer" | "approval";
  label: string;
  /** What else finds it, and is shown beside it. */
  more: string;
  to: OfficePath;
  search: Search;
};

export function jumpToPerson({ id, name, username }: Person): Jump {
  return { id, kind: "person", label: name, more: username, to: "/staff", search: { person: id } };
}

/**
 * To what the server has found; it has looked at the rights. Requests lead to their page, where there is one.
 */
export function jumpToFound(
  { kind, id, seq, label, more }: FoundThing,
  approvals: OfficePath | undefined,
): Jump[] {
  const key = `${kind}:${id}:${seq ?? ""}`;
  switch (kind) {
    case "member":
      return [{ id: key, kind, label, more, to: `/members/${id}`, search: {} }];
    case "round":
      return [{ id: key, kind, label, more, to: `/rounds/${id}`, search: {} }];
    case "transfer": {
      const search = { tab: "wallet", transfer: String(seq) };
      return [{ id: key, kind, label, more, to: `/members/${id}`, search }];
    }
    case "approval": {
      const search = { approval: id };
      return approvals ? [{ id: key, kind, label, more, to: approvals, search }] : [];
    }
    default:
      return [];
  }
}

/** Letters as people type them: without case and accents. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase();
}

/** How well something fits: 0 begins with it, 1 has a word that does, 2 has it somewhere; null does not fit. */
function rank(jump: Jump, wanted: string): number | null {
  const texts = [plain(jump.label), plain(jump.more)];
  if (texts.some((text) => text.startsWith(wanted))) return 0;
  if (texts.some((text) => text.split(/[\s._-]+/).some((word) => word.startsWith(wanted))))
    return 1;
  return texts.some((text) => text.includes(wanted)) ? 2 : null;
}

/** What fits best first. Where nothing is typed only the pages are offered. */
export function findJumps(jumps: readonly Jump[], typed: string, most = 8): Jump[] {
  const wanted = plain(typed.trim());
  if (wanted === "") return jumps.filter(({ kind }) => kind === "page");
  return jumps
    .flatMap((jump) => {
      const fit = rank(jump, wanted);
      return fit === null ? [] : [{ jump, fit }];
    })
    .toSorted((a, b) => a.fit - b.fit)
    .slice(0, most)
    .map(({ jump }) => jump);
}
