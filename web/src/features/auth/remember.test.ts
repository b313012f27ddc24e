import { beforeEach, describe, expect, it } from "vitest";
import { type Places, forget, recall, remember } from "./remember";

const what = { username: "marikit", password: "pancit-sa-gabi-42" };

function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** A browser and a server in memory. */
function places() {
  const kept = { cookie: null as string | null, share: null as string | null };
  const key = newKey();
  const all: Places = {
    browserKey: () => key,
    readCookie: () => kept.cookie,
    writeCookie: (text) => (kept.cookie = text),
    putShare: async (share) => (kept.share = share),
    getShare: async () => kept.share,
    dropShare: async () => (kept.share = null),
  };
  return { kept, all };
}

describe("remember", () => {
  let { kept, all } = places();
  beforeEach(async () => {
    ({ kept, all } = places());
    await remember(what, all);
  });

  it("gives back what was kept", async () => {
    expect(await recall(all)).toEqual(what);
  });

  it("keeps nothing readable on either side", () => {
    for (const text of [kept.cookie, kept.share]) {
      const bytes = atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/"));
      expect(bytes.length).toBeGreaterThan(31);
      expect(bytes).not.toContain("pancit");
      expect(bytes).not.toContain("marikit");
    }
  });

  it("opens nothing in another browser, and deletes the copy", async () => {
    const other = newKey();
    expect(await recall({ ...all, browserKey: () => other })).toBeNull();
    expect(kept.cookie).toBeNull();
  });

  it("opens nothing once the server's share is gone or another one", async () => {
    const cookie = kept.cookie;
    kept.share = null;
    expect(await recall(all)).toBeNull();
    expect(kept.cookie).toBeNull();
    await remember(what, all);
    kept.cookie = cookie;
    expect(await recall(all)).toBeNull();
  });

  it("keeps the copy where the server could not be asked", async () => {
    const away = { ...all, getShare: () => Promise.reject(new Error("cut off")) };
    expect(await recall(away)).toBeNull();
    expect(await recall(all)).toEqual(what);
  });

  it("forgets on both sides", async () => {
    await forget(all);
    expect(kept).toEqual({ cookie: null, share: null });
    expect(await recall(all)).toBeNull();
  });

  it("leaves no cookie where the server did not take the share", async () => {
    await forget(all);
    const refused = { ...all, putShare: () => Promise.reject(new Error("no")) };
    await expect(remember(what, refused)).rejects.toThrow("no");
    expect(kept.cookie).toBeNull();
  });
});
