#!/usr/bin/env node
// Logs the demo's administrator in to the office with an authenticator code and prints two cookies: the session's and the
// re-authentication's, which sensitive calls need.
import { createHmac } from "node:crypto";

const office = process.argv[2];
const key = Buffer.from("capiz-demo-admin-key");

/** The current code of the authenticator (TOTP, RFC 6238). */
function currentCode() {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const word = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fff_ffff;
  return String(word % 1_000_000).padStart(6, "0");
}

const answer = await fetch(`${office}/office/api/session/login`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
  body: JSON.stringify({ username: "admin", password: "office-sees-through", code: currentCode() }),
});
if (!answer.ok) throw new Error(`not logged in: ${await answer.text()}`);
const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
console.log(cookies.join("; "));
