import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { openSealed, publicKeyOf } from "./open.testing";
import { type SealedBody, fromBase64Url, sealBody, toBase64Url } from "./seal";

type Vector = SealedBody & {
  name: string;
  privateKey: string;
  publicKey: string;
  method: string;
  path: string;
  plaintext: string;
};

const fromServer = new URL("../../../../vectors/seal.json", import.meta.url);
const fromWeb = new URL("../../../../vectors/seal-web.json", import.meta.url);
const PRIVATE = "4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8";

function read(file: URL): Vector[] {
  return JSON.parse(readFileSync(file, "utf8")) as Vector[];
}

const bodies = [
  {
    name: "login",
    method: "POST",
    path: "/wps/session/login",
    body: { username: "juan", password: "correct horse", type: "username" },
  },
  {
    name: "register",
    method: "PUT",
    path: "/wps/member/register",
    body: { username: "ñandú", password: "₱₱₱ 🐚", adult: true },
  },
  {
    name: "free play",
    method: "POST",
    path: "/wps/session/login/freeplay",
    body: { os: "web", platform: "W", random: "", gatewayVersion: 3 },
  },
  { name: "empty object", method: "POST", path: "/wps/session/login", body: {} },
];

describe("sealing", () => {
  it("opens every body that the server's code sealed", async () => {
    const vectors = read(fromServer);
    expect(vectors.length).toBeGreaterThan(0);
    for (const vector of vectors) {
      expect(await publicKeyOf(vector.privateKey), vector.name).toBe(vector.publicKey);
      expect(
        await openSealed(vector.privateKey, vector.method, vector.path, vector),
        vector.name,
      ).toBe(vector.plaintext);
    }
  });

  it("keeps bodies sealed here for the server's tests", async () => {
    if (process.env["CAPIZ_WRITE_VECTORS"] === "1") await writeVectors();
    for (const vector of read(fromWeb)) {
      expect(
        await openSealed(vector.privateKey, vector.method, vector.path, vector),
        vector.name,
      ).toBe(vector.plaintext);
    }
  });

  it.each(bodies)("seals and opens: $name", async ({ method, path, body }) => {
    const key = { kid: "k1", publicKey: await publicKeyOf(PRIVATE) };
    const sealed = await sealBody(key, method, `${path}?x=1`, body, 1_700_000_000_123.7);
    expect(sealed.at).toBe(1_700_000_000_123);
    expect(fromBase64Url(sealed.nonce)).toHaveLength(16);
    expect(JSON.parse(await openSealed(PRIVATE, method, path, sealed))).toEqual(body);
  });

  it("is bound to method, path, key, time and nonce", async () => {
    const key = { kid: "k1", publicKey: await publicKeyOf(PRIVATE) };
    const sealed = await sealBody(key, "POST", "/a", { secret: 1 }, 1000);
    const open = (method: string, path: string, change: Partial<SealedBody>) =>
      openSealed(PRIVATE, method, path, { ...sealed, ...change });
    await expect(open("post", "/a", {})).resolves.toContain("secret");
    await expect(open("PUT", "/a", {})).rejects.toThrow();
    await expect(open("POST", "/b", {})).rejects.toThrow();
    await expect(open("POST", "/a", { kid: "k2" })).rejects.toThrow();
    await expect(open("POST", "/a", { at: 1001 })).rejects.toThrow();
    await expect(open("POST", "/a", { nonce: toBase64Url(new Uint8Array(16)) })).rejects.toThrow();
    await expect(open("POST", "/a", { ct: `${sealed.ct.slice(0, -4)}AAAA` })).rejects.toThrow();
  });

  it("never seals the same twice", async () => {
    const key = { kid: "k1", publicKey: await publicKeyOf(PRIVATE) };
    const [one, two] = [
      await sealBody(key, "POST", "/a", {}, 1),
      await sealBody(key, "POST", "/a", {}, 1),
    ];
    expect(one.nonce).not.toBe(two.nonce);
    expect(one.ct).not.toBe(two.ct);
  });
});

async function writeVectors(): Promise<void> {
  const [known] = existsSync(fromServer) ? read(fromServer) : [];
  const privateKey = known?.privateKey ?? PRIVATE;
  const publicKey = await publicKeyOf(privateKey);
  const kid = known?.kid ?? "vector";
  const vectors: Vector[] = [];
  for (const { name, method, path, body } of bodies) {
    const sealed = await sealBody({ kid, publicKey }, method, path, body, 1_790_000_000_000);
    vectors.push({
      name,
      privateKey,
      publicKey,
      method,
      path,
      plaintext: JSON.stringify(body),
      ...sealed,
    });
  }
  writeFileSync(fromWeb, `${JSON.stringify(vectors, null, 2)}\n`);
}
