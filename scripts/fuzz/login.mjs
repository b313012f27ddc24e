#!/usr/bin/env node
// Registers a member like the page does and prints its token and its device cookie, one per line.
import { SEALED, newAddress, prove, seal } from "./page.mjs";

const site = process.argv[2];
const path = "/wps/member/register";
const address = newAddress();
const form = {
  username: `fuzz${Date.now() % 1_000_000}`,
  password: "mango-riot-at-noon",
  confirmPassword: "mango-riot-at-noon",
  birthday: "1990-05-17",
  ofAge: true,
  adult: true,
  terms: true,
  human: await prove(site, address),
};
const answer = await fetch(site + path, {
  method: "PUT",
  headers: { "Content-Type": SEALED, "X-Forwarded-For": address },
  body: await seal(site, "PUT", path, JSON.stringify(form)),
});
const { value, message } = await answer.json();
if (!value?.token) throw new Error(`not registered: ${message}`);
console.log(value.token);
console.log(answer.headers.getSetCookie()[0].split(";")[0]);
