// Client code of the page: sealing request bodies, and solving the proof of work of the human check.
import { pbkdf2Sync } from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = require("@hpke/core");

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const base64url = (bytes) => Buffer.from(bytes).toString("base64url");
const bytes = (text) => new TextEncoder().encode(text);

export const SEALED = "application/sealed+json";

export async function valueOf(address, options) {
  return (await (await fetch(address, options)).json()).value;
}

/** Encrypts a body for one call, as docs/api.md describes under Sealed payloads. */
export async function seal(site, method, path, plaintext) {
  const key = await valueOf(site + "/wps/system/key");
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)));
  const recipientPublicKey = await suite.kem.deserializePublicKey(
    Buffer.from(key.publicKey, "base64url"),
  );
  const sender = await suite.createSenderContext({ recipientPublicKey, info: bytes("capiz/1") });
  const associatedData = `${method}\n${path}\n${key.kid}\n${key.now}\n${nonce}`;
  const ct = await sender.seal(bytes(plaintext), bytes(associatedData));
  const sealed = { kid: key.kid, enc: base64url(sender.enc), ct: base64url(ct) };
  return JSON.stringify({ ...sealed, at: key.now, nonce });
}

/** Solves a proof of work for a visitor with this IP address. */
export async function prove(site, address) {
  const headers = { "X-Forwarded-For": address };
  const challenge = await valueOf(site + "/wps/captcha/challenge", { headers });
  const { nonce, salt, cost, keyLength = 32, keyPrefix } = challenge.parameters;
  const start = Buffer.from(nonce, "hex");
  const password = Buffer.concat([start, Buffer.alloc(4)]);
  for (let counter = 0; ; counter += 1) {
    password.writeUInt32BE(counter, start.length);
    const derived = pbkdf2Sync(password, Buffer.from(salt, "hex"), cost, keyLength, "sha256");
    const derivedKey = derived.toString("hex");
    if (derivedKey.startsWith(keyPrefix)) {
      const payload = { challenge, solution: { counter, derivedKey, time: 1 } };
      return Buffer.from(JSON.stringify(payload)).toString("base64");
    }
  }
}

/** A random private IP address. */
export function newAddress() {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return `10.${a}.${b}.${c}`;
}
