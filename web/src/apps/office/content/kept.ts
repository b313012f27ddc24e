import type { Draft } from "./draft";

/** What somebody was writing, and the version that they had in front of them. */
export type Kept = { draft: Draft; version: number };

/** Under this name a draft outlives a reload, or a session that is over. */
const nameOf = (merchant: string, kind: string, id: string) => `draft:${merchant}:${kind}:${id}`;

export function keptDrafts(merchant: string, kind: string, id: string) {
  const name = nameOf(merchant, kind, id);
  return {
    read: (): Kept | null => {
      try {
        return JSON.parse(sessionStorage.getItem(name) ?? "null") as Kept | null;
      } catch {
        return null;
      }
    },
    write: (kept: Kept) => {
      try {
        sessionStorage.setItem(name, JSON.stringify(kept));
      } catch {
        // A full store keeps nothing; the page still asks before it is left.
      }
    },
    forget: () => sessionStorage.removeItem(name),
  };
}
