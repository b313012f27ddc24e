import { beforeEach, describe, expect, it } from "vitest";
import { type Places, forget, keep, recallLogin, recallNumber } from "./remember";

const what = { username: "marikit", password: "pancit-sa-gabi-42" };
const number = { mobileNum: "0917 123 4567", countryDialingCode: "63" };

function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** A browser and a server in memory. */
function places() {
  const kept = {
    login: null as string | null,
    number: null as string | null,
    share: null as string | null,
    now: 0,
  };
  const key = newKey();
  const all: Places = {
    browserKey: () => key,
    readCookie: (part) => kept[part],
    writeCookie: (part, text) => (kept[part] = text),
    putShare: async (share) => (kept.share = share),
    getShare: async () => kept.share,
    dropShare: async () => (kept.share = null),
    now: () => kept.now,
  };
  return { kept, all };
}

describe("remember", () => {
  let { kept, all } = places();
  const keepLogin = () => keep({ part: "login", what }, all);
  const keepNumber = () => keep({ part: "number", what: number }, all);
  beforeEach(async () => {
    ({ kept, all } = places());
    await keepLogin();
  });

  it("gives back what was kept", async () => {
    expect(await recallLogin(all)).toEqual(what);
  });

  it("keeps nothing readable on either side", async () => {
    await keepNumber();
    for (const text of [kept.login, kept.number, kept.share]) {
      const bytes = atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/"));
      expect(bytes.length).toBeGreaterThan(31);
      for (const plain of ["pancit", "marikit", "0917"]) expect(bytes).not.toContain(plain);
    }
  });

  it("opens nothing in another browser, and deletes the copy", async () => {
    await keepNumber();
    const other = newKey();
    const elsewhere = { ...all, browserKey: () => other };
    expect(await recallLogin(elsewhere)).toBeNull();
    expect(await recallNumber(elsewhere)).toBeNull();
    expect(kept).toMatchObject({ login: null, number: null });
  });

  it("opens no password once the server's share is gone or another one", async () => {
    const cookie = kept.login;
    kept.share = null;
    expect(await recallLogin(all)).toBeNull();
    expect(kept.login).toBeNull();
    await keepLogin();
    kept.login = cookie;
    expect(await recallLogin(all)).toBeNull();
  });

  it("keeps the copy where the server could not be asked", async () => {
    const away = { ...all, getShare: () => Promise.reject(new Error("cut off")) };
    expect(await recallLogin(away)).toBeNull();
    expect(await recallLogin(all)).toEqual(what);
  });

  it("keeps a password and a number side by side", async () => {
    await keepNumber();
    expect(await recallLogin(all)).toEqual(what);
    expect(await recallNumber(all)).toEqual(number);
    await keepLogin();
    expect(await recallNumber(all)).toEqual(number);
    // The member's password is another one: what is kept of the number is not its business.
    kept.share = null;
    expect(await recallLogin(all)).toBeNull();
    expect(await recallNumber(all)).toEqual(number);
  });

  it("keeps a number for a day", async () => {
    await keepNumber();
    kept.now = 86_400_000 - 1;
    expect(await recallNumber(all)).toEqual(number);
    kept.now += 1;
    expect(await recallNumber(all)).toBeNull();
    expect(kept.number).toBeNull();
  });

  it("forgets everything on both sides", async () => {
    await keepNumber();
    await forget(all);
    expect(kept).toMatchObject({ login: null, number: null, share: null });
    expect(await recallLogin(all)).toBeNull();
    expect(await recallNumber(all)).toBeNull();
  });

  it("leaves no cookie where the server did not take the share", async () => {
    await forget(all);
    const refused = { ...all, putShare: () => Promise.reject(new Error("no")) };
    await expect(keep({ part: "login", what }, refused)).rejects.toThrow("no");
    expect(kept.login).toBeNull();
  });
});
