/** What may travel from a frame to the server: plain JSON, and little of it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

const DEEPEST = 4;
const MOST_PARTS = 120;
const LONGEST_TEXT = 64;

/** A copy of the value when it is plain and small; undefined for all else. A frame may send anything that can be cloned. */
export function plainJson(value: unknown): Json | undefined {
  let parts = 0;
  const copy = (one: unknown, depth: number): Json | undefined => {
    parts += 1;
    if (parts > MOST_PARTS || depth > DEEPEST) return undefined;
    if (one === null || typeof one === "boolean") return one;
    if (typeof one === "number") return Number.isFinite(one) ? one : undefined;
    if (typeof one === "string") return one.length <= LONGEST_TEXT ? one : undefined;
    if (Array.isArray(one)) return all(one.map((item) => copy(item, depth + 1)));
    return isPlainObject(one) ? copyObject(one, depth) : undefined;
  };
  const copyObject = (one: object, depth: number): JsonObject | undefined => {
    const entries = Object.entries(one).map(([name, item]) => [name, copy(item, depth + 1)]);
    const isWhole = entries.every(
      ([name, item]) => `${name}`.length <= LONGEST_TEXT && item !== undefined,
    );
    return isWhole ? (Object.fromEntries(entries) as JsonObject) : undefined;
  };
  return copy(value, 0);
}

export function plainObject(value: unknown): JsonObject | undefined {
  const copy = plainJson(value);
  return typeof copy === "object" && copy !== null && !Array.isArray(copy)
    ? (copy as JsonObject)
    : undefined;
}

function all(items: readonly (Json | undefined)[]): readonly Json[] | undefined {
  return items.includes(undefined) ? undefined : (items as readonly Json[]);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}
