import type { Client } from "openapi-fetch";
import { networkFailure } from "./error";
import type { paths } from "./schema";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Values = Readonly<Record<string, unknown>>;
type Options = {
  params?: { path?: Values; query?: Values; header?: Values };
  body?: unknown;
  signal?: AbortSignal;
};

const listed = (values: Values = {}): [string, string][] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, String(value)]);

/** Puts the parameters into the path and behind it. */
export function addressOf(
  path: string,
  { path: inside = {}, query }: Options["params"] = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inside[name])),
  );
  const behind = new URLSearchParams(listed(query)).toString();
  return behind ? `${filled}?${behind}` : filled;
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "AbortError";
}

async function send(method: Method, path: string, headers: Values, options: Options = {}) {
  const { params, body, signal } = options;
  const response = await fetch(addressOf(path, params), {
    method,
    headers: {
      ...Object.fromEntries(listed({ ...headers, ...params?.header })),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw isAbort(cause) ? cause : networkFailure();
  });
  const answer: unknown = await response.json().catch(() => undefined);
  return response.ok ? { data: answer, response } : { error: answer, response };
}

/**
 * The calls of the API document, with the types of `openapi-fetch` and without its code: the home page loads this, and
 * nothing of ours needs more than parameters and JSON.
 */
export function typedCalls(headers: () => Values): Pick<Client<paths>, Method> {
  const by = (method: Method) => (path: string, options?: Options) =>
    send(method, path, headers(), options);
  const calls = { GET: by("GET"), POST: by("POST"), PUT: by("PUT"), DELETE: by("DELETE") };
  return calls as unknown as Pick<Client<paths>, Method>;
}
