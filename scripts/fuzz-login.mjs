#!/usr/bin/env node
// Opens a demo account as the page does and prints its token and its cookie, a line each.
import { createRequire } from "node:module";

const require = createRequire(new URL("../web/package.json", import.meta.url));
const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = require("@hpke/core");

const site = process.argv[2];
const path = "/wps/session/login/freeplay";
const { value: key } = await (await fetch(site + "/wps/system/key")).json();
const base64url = (bytes) => Buffer.from(bytes).toString("base64url");
const bytes = (text) => new TextEncoder().encode(text);

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});
const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)));
const recipientPublicKey = await suite.kem.deserializePublicKey(
  Buffer.from(key.publicKey, "base64url"),
);
const sender = await suite.createSenderContext({ recipientPublicKey, info: bytes("capiz/1") });
const plaintext = { os: "fuzz", platform: "W", random: nonce, gatewayVersion: 3 };
const ct = await sender.seal(
  bytes(JSON.stringify(plaintext)),
  bytes(`POST\n${path}\n${key.kid}\n${key.now}\n${nonce}`),
);
const answer = await fetch(site + path, {
  method: "POST",
  headers: { "Content-Type": "application/sealed+json" },
  body: JSON.stringify({
    kid: key.kid,
    enc: base64url(sender.enc),
    ct: base64url(ct),
    at: key.now,
    nonce,
  }),
});
const { value } = await answer.json();
console.log(value.token);
console.log(answer.headers.getSetCookie()[0].split(";")[0]);
