import { call } from "@/lib/api/client";
import { fromBase64Url, toBase64Url } from "@/lib/seal/seal";

/**
 * A remembered password lies in two encryptions: the inner by a share that the server keeps for a day behind the
 * browser's HttpOnly cookie, the outer by a key of this browser that no script can read out. The cookie holds
 * ciphertext only; copied to another browser, or a day later, it opens nothing.
 */
export type Remembered = {
  username?: string;
  password?: string;
  mobileNum?: string;
  countryDialingCode?: string;
};

/** Where the parts lie. */
export type Places = {
  /** This browser's key; a new one is made where there is none. */
  browserKey: () => Promise<CryptoKey>;
  readCookie: () => string | null;
  writeCookie: (text: string | null) => void;
  putShare: (share: string) => Promise<unknown>;
  getShare: () => Promise<string | null>;
  dropShare: () => Promise<unknown>;
};

type Bytes = Uint8Array<ArrayBuffer>;
const ivLength = 12;

async function seal(key: CryptoKey, plain: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength));
  const text = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain);
  return new Uint8Array([...iv, ...new Uint8Array(text)]);
}

async function open(key: CryptoKey, sealed: Bytes): Promise<Bytes> {
  const iv = sealed.slice(0, ivLength);
  const way = { name: "AES-GCM", iv };
  return new Uint8Array(await crypto.subtle.decrypt(way, key, sealed.slice(ivLength)));
}

function shareKey(share: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", share, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Keeps what was typed for a day. */
export async function remember(what: Remembered, places: Places = browser): Promise<void> {
  const share = crypto.getRandomValues(new Uint8Array(32));
  const inner = await seal(
    await shareKey(share),
    new TextEncoder().encode(JSON.stringify(what)) as Bytes,
  );
  const outer = await seal(await places.browserKey(), inner);
  await places.putShare(toBase64Url(share));
  places.writeCookie(toBase64Url(outer));
}

let wish: Remembered | null = null;

/** Notes what is to be kept once there is a session, or, with null, that nothing is. It stays in memory. */
export async function wishToRemember(what: Remembered | null): Promise<void> {
  wish = what;
  if (what === null) await forget();
}

/** Keeps what was wished for, now that there is a session. That it could not be kept is no reason to complain. */
export async function fulfilWish(places: Places = browser): Promise<void> {
  const what = wish;
  wish = null;
  if (what) await remember(what, places).catch(() => undefined);
}

/** What was kept, or null; what cannot be opened any more is deleted. */
export async function recall(places: Places = browser): Promise<Remembered | null> {
  const cookie = places.readCookie();
  if (cookie === null) return null;
  // A question that was cut off has no answer: what is kept may still be good.
  const share = await places.getShare().catch(() => undefined);
  if (share === undefined) return null;
  try {
    if (share === null) throw new Error("the share is gone");
    const inner = await open(await places.browserKey(), fromBase64Url(cookie));
    const plain = await open(await shareKey(fromBase64Url(share)), inner);
    return JSON.parse(new TextDecoder().decode(plain)) as Remembered;
  } catch {
    places.writeCookie(null);
    return null;
  }
}

/** Deletes what was kept, on both sides. */
export async function forget(places: Places = browser): Promise<void> {
  if (places.readCookie() === null) return;
  places.writeCookie(null);
  await places.dropShare().catch(() => undefined);
}

const day = 86_400;
const cookieName = "remember";

/** The key lives in the browser's own database and can be used, but not read. */
function browserKey(): Promise<CryptoKey> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("capiz", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => reject(opening.error ?? new Error("no database"));
    opening.onsuccess = () => resolve(keyIn(opening.result).finally(() => opening.result.close()));
  });
}

async function keyIn(database: IDBDatabase): Promise<CryptoKey> {
  const known = await done<CryptoKey | undefined>(
    database.transaction("keys").objectStore("keys").get(cookieName),
  );
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  await done(database.transaction("keys", "readwrite").objectStore("keys").put(made, cookieName));
  return made;
}

function done<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error("the database refused"));
  });
}

const browser: Places = {
  browserKey,
  readCookie: () =>
    document.cookie
      .split("; ")
      .find((pair) => pair.startsWith(`${cookieName}=`))
      ?.slice(cookieName.length + 1) ?? null,
  writeCookie: (text) => {
    const life = text === null ? 0 : day;
    document.cookie = `${cookieName}=${text ?? ""}; path=/; max-age=${life}; secure; samesite=strict`;
  },
  putShare: (share) => call("PUT", "/wps/session/remember", { body: { share } }),
  getShare: async () =>
    (await call<{ share: string } | null>("GET", "/wps/session/remember"))?.share ?? null,
  dropShare: () => call("DELETE", "/wps/session/remember"),
};
