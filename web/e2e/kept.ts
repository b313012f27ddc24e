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
  const bytes = Buffer.from(secret);
  const wide = Buffer.from(secret, "utf16le");
  return [
    secret,
    encodeURIComponent(secret),
    wide.toString("latin1"),
    ...[bytes, wide].flatMap((one) => [
      one.toString("hex"),
      one.toString("base64").replace(/=+$/, ""),
      one.toString("base64url"),
    ]),
  ];
}

/** Expects that the browser remembers something, and none of these so that it can be read. */
export async function expectNoTrace(page: Page, secrets: readonly string[]): Promise<void> {
  const kept = await everythingKept(page);
  // The look was at the right places: this is the key of what is remembered, and it cannot be read out.
  expect(kept).toContain("a key, extractable: false");
  for (const writing of secrets.flatMap(writings)) expect(kept).not.toContain(writing);
}
