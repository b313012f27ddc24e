import type { Query, QueryFunction, QueryFunctionContext, QueryKey } from "@tanstack/react-query";
import { getBoot } from "@/lib/boot/boot";
import { currentLang } from "@/lib/i18n/i18n";

/** Raise it whenever something that is kept gets another shape: what an older release kept counts no more. */
const shape = 1;

const prefix = "copy/";

type Copy = { version: string; data: unknown };

/** What a copy was made for. One of another language, merchant or release is none. */
function version(): string {
  return `${shape}/${getBoot().merchant.code}/${currentLang()}`;
}

function read(hash: string): unknown {
  try {
    const copy = JSON.parse(sessionStorage.getItem(prefix + hash) ?? "null") as Copy | null;
    return copy?.version === version() ? copy.data : undefined;
  } catch {
    return undefined;
  }
}

/** A full storage keeps less; that is no fault. */
function keep(hash: string, data: unknown): void {
  try {
    const copy: Copy = { version: version(), data };
    sessionStorage.setItem(prefix + hash, JSON.stringify(copy));
  } catch {
    sessionStorage.removeItem(prefix + hash);
  }
}

/** Forgets every copy: something has changed, and nobody knows for which of them. */
export function dropCopies(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}

/**
 * The `persister` of queries whose answer is kept for this tab. After a reload the copy is shown at once, and checked
 * at once: the server answers with the tag of what the browser has, or with something newer.
 */
export async function withCopy<T, K extends QueryKey>(
  load: QueryFunction<T, K>,
  context: QueryFunctionContext<K>,
  query: Query,
): Promise<T> {
  const copy = query.state.data === undefined ? read(query.queryHash) : undefined;
  if (copy !== undefined) {
    // Not before this call is over: it would be taken for the same one.
    setTimeout(() => void query.fetch().catch(() => undefined));
    return copy as T;
  }
  const data = await load(context);
  keep(query.queryHash, data);
  return data;
}
