#!/usr/bin/env node
// Logs the demo's administrator in to the office, with the code of an authenticator app, and prints the cookies: of the
// session, and of the proof, which what is grave asks for.
import { createHmac } from "node:crypto";

const office = process.argv[2];
const key = Buffer.from("capiz-demo-admin-key");

/** The six digits of this moment (RFC 6238). */
function digits() {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const word = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fff_ffff;
  return String(word % 1_000_000).padStart(6, "0");
}

const answer = await fetch(`${office}/office/api/session/login`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Office-Page": "1" },
  body: JSON.stringify({ username: "admin", password: "office-sees-through", code: digits() }),
});
if (!answer.ok) throw new Error(`not logged in: ${await answer.text()}`);
const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
console.log(cookies.join("; "));
