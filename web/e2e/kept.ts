import { type Page, expect } from "@playwright/test";

/** Everything that the browser keeps for the site, as text: cookies, both storages, and each record of each database. */
async function everythingKept(page: Page): Promise<string> {
  const cookies = JSON.stringify(await page.context().cookies());
  const stored = await page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("the database refused"));
      });
    const bytesOf = (value: ArrayBuffer | ArrayBufferView) =>
      ArrayBuffer.isView(value)
        ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
        : new Uint8Array(value);
    /** A record's texts and bytes, at any depth. */
    const told = (value: unknown): string => {
      if (value instanceof CryptoKey) return `a key, extractable: ${value.extractable}`;
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
        return Array.from(bytesOf(value), (byte) => String.fromCharCode(byte)).join("");
      }
      if (typeof value !== "object" || value === null) return String(value);
      return Object.entries(value)
        .map(([name, part]) => `${name}: ${told(part)}`)
        .join("; ");
    };
    const found = [JSON.stringify([{ ...localStorage }, { ...sessionStorage }])];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of Array.from(database.objectStoreNames)) {
        const records = database.transaction(store).objectStore(store);
        const parts = [done(records.getAllKeys()), done(records.getAll())];
        found.push(`${name} ${store}: ${told(await Promise.all(parts))}`);
      }
      database.close();
    }
    return found.join("\n");
  });
  return `${cookies}\n${stored}`;
}

/** A text as it may be written down without being hidden. */
function writings(secret: string): string[] {
  const written = [Buffer.from(secret), Buffer.from(secret, "utf16le")];
  return [
    encodeURIComponent(secret),
    ...written.flatMap((bytes) => [bytes.toString("latin1"), bytes.toString("hex")]),
  ];
}

/** What stands in a text in base64. A run of it may begin with something else, so it is read from four places. */
function decoded(text: string): string[] {
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  return runs.flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
}

/** Whether a secret can be read from what is kept, by whoever knows how texts are written down. */
export function hasTrace(kept: string, secret: string): boolean {
  const plain = kept.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const readable = [kept, plain, ...decoded(plain)];
  return writings(secret).some((writing) => readable.some((text) => text.includes(writing)));
}

/** Expects that the browser remembers something, and none of these so that it can be read. */
export async function expectNoTrace(page: Page, secrets: readonly string[]): Promise<void> {
  const kept = await everythingKept(page);
  // The look was at the right places: this is the key of what is remembered, and it cannot be read out.
  expect(kept).toContain("a key, extractable: false");
  expect(secrets.filter((secret) => hasTrace(kept, secret))).toEqual([]);
}
