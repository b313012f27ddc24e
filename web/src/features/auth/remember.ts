import { call } from "@/lib/api/client";
import { fromBase64Url, toBase64Url } from "@/lib/seal/seal";
import { type Part, day, readCookie, writeCookie } from "./remember-cookies";

/**
 * A remembered password lies in two encryptions: the inner by a share that the server keeps for a day behind the
 * browser's HttpOnly cookie, the outer by a key of this browser that no script can read out. The cookie holds
 * ciphertext only; copied to another browser, or a day later, it opens nothing.
 *
 * A number opens no account, and it need not be of the same member: it has a cookie of its own, in the outer encryption
 * alone, which also holds when its day is over. The server has one share for each browser, and drops it with the
 * password of the member who left it there; so a number under that share would go with somebody else's password.
 */
export type Credentials = { username: string; password: string };
export type KeptNumber = { mobileNum: string; countryDialingCode: string };

/** What a form keeps. */
export type Kept = { part: "login"; what: Credentials } | { part: "number"; what: KeptNumber };

/** Where the parts lie. */
export type Places = {
  /** This browser's key; a new one is made where there is none. */
  browserKey: () => Promise<CryptoKey>;
  readCookie: (part: Part) => string | null;
  writeCookie: (part: Part, text: string | null) => void;
  putShare: (share: string) => Promise<unknown>;
  getShare: () => Promise<string | null>;
  dropShare: () => Promise<unknown>;
  now: () => number;
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

const written = (what: object) => new TextEncoder().encode(JSON.stringify(what)) as Bytes;
const readBack = (plain: Bytes) => JSON.parse(new TextDecoder().decode(plain)) as unknown;

/** Keeps what was typed for a day. */
export function keep(kept: Kept, places: Places = browser): Promise<void> {
  return kept.part === "login" ? keepLogin(kept.what, places) : keepNumber(kept.what, places);
}

async function keepLogin(what: Credentials, places: Places): Promise<void> {
  const share = crypto.getRandomValues(new Uint8Array(32));
  const inner = await seal(await shareKey(share), written(what));
  const outer = await seal(await places.browserKey(), inner);
  await places.putShare(toBase64Url(share));
  places.writeCookie("login", toBase64Url(outer));
}

async function keepNumber(number: KeptNumber, places: Places): Promise<void> {
  const until = places.now() + day * 1000;
  const sealed = await seal(await places.browserKey(), written({ ...number, until }));
  places.writeCookie("number", toBase64Url(sealed));
}

/** The username and password that were kept, or null; what cannot be opened any more is deleted. */
export async function recallLogin(places: Places = browser): Promise<Credentials | null> {
  const cookie = places.readCookie("login");
  if (cookie === null) return null;
  // A question that was cut off has no answer: what is kept may still be good.
  const share = await places.getShare().catch(() => undefined);
  if (share === undefined) return null;
  try {
    if (share === null) throw new Error("the share is gone");
    const inner = await open(await places.browserKey(), fromBase64Url(cookie));
    return readBack(await open(await shareKey(fromBase64Url(share)), inner)) as Credentials;
  } catch {
    places.writeCookie("login", null);
    return null;
  }
}

/** The number that was kept, or null; what cannot be opened any more, or is too old, is deleted. */
export async function recallNumber(places: Places = browser): Promise<KeptNumber | null> {
  const cookie = places.readCookie("number");
  if (cookie === null) return null;
  try {
    const plain = await open(await places.browserKey(), fromBase64Url(cookie));
    const { until, ...number } = readBack(plain) as KeptNumber & { until: number };
    if (until <= places.now()) throw new Error("its day is over");
    return number;
  } catch {
    places.writeCookie("number", null);
    return null;
  }
}

/** Deletes what was kept of both forms, on both sides. */
export async function forget(places: Places = browser): Promise<void> {
  places.writeCookie("number", null);
  if (places.readCookie("login") === null) return;
  places.writeCookie("login", null);
  await places.dropShare().catch(() => undefined);
}

const keyName = "remember";

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
    database.transaction("keys").objectStore("keys").get(keyName),
  );
  if (known) return known;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  await done(database.transaction("keys", "readwrite").objectStore("keys").put(made, keyName));
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
  readCookie,
  writeCookie,
  putShare: (share) => call("PUT", "/wps/session/remember", { body: { share } }),
  getShare: async () =>
    (await call<{ share: string } | null>("GET", "/wps/session/remember"))?.share ?? null,
  dropShare: () => call("DELETE", "/wps/session/remember"),
  now: () => Date.now(),
};
