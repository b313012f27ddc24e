/** One line of a difference. Lists are compared as sets: what came, what went, what stayed. */
export type Line = {
  /** Where it stands, `a.b`; empty for the value itself. */
  path: string;
  kind: "same" | "changed" | "added" | "removed";
  was: string | null;
  is: string | null;
};

type Leaves = Map<string, string>;

/** A value as its leaves. A list of plain things is one leaf each, so that one of them can come or go. */
function leavesOf(value: unknown, path: string, found: Leaves): Leaves {
  if (Array.isArray(value)) {
    for (const item of value) {
      const text = textOf(item);
      found.set(`${path}\u0000${text}`, text);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      leavesOf(inner, path ? `${path}.${name}` : name, found);
    }
  } else found.set(path, textOf(value));
  return found;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What cannot be read as JSON is one text. */
function parse(text: string | null | undefined): Leaves {
  if (text === null || text === undefined) return new Map();
  try {
    return leavesOf(JSON.parse(text), "", new Map());
  } catch {
    return new Map([["", text]]);
  }
}

function kindOf(was: string | null, is: string | null): Line["kind"] {
  if (was === null) return "added";
  if (is === null) return "removed";
  return was === is ? "same" : "changed";
}

/** What an action changed, line by line, in the order of the fields. */
export function difference(
  before: string | null | undefined,
  after: string | null | undefined,
): Line[] {
  const [old, now] = [parse(before), parse(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((key): Line => {
      const [was, is] = [old.get(key) ?? null, now.get(key) ?? null];
      return { path: key.split("\u0000")[0] ?? "", kind: kindOf(was, is), was, is };
    })
    .toSorted((a, b) => orderOf(old, now, a.path) - orderOf(old, now, b.path));
}

function orderOf(old: Leaves, now: Leaves, path: string): number {
  const paths = [...old.keys(), ...now.keys()].map((key) => key.split("\u0000")[0]);
  return paths.indexOf(path);
}
