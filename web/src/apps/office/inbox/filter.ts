import type { Search } from "../address";

/** Rows of a page. */
export const pageSize = 50;

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Which rows are looked for: those that wait, unless the address asks for others. */
export function stateOf<S extends string>(
  { status }: Search,
  states: readonly S[],
): S | "all" | undefined {
  return status === "all" ? "all" : (states.find((one) => one === status) ?? states[0]);
}

/** The address as a question to the server. What makes no sense is left out. */
export function queryOf<S extends string>(search: Search, states: readonly S[]) {
  const status = stateOf(search, states);
  const { before = "" } = search;
  return {
    limit: pageSize,
    ...(status && status !== "all" && { status }),
    ...(idShape.test(before) && { before }),
  };
}
