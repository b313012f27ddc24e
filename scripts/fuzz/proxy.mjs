#!/usr/bin/env node
// Stands between the fuzzer and the server, and seals. A fuzzer that sends sealed calls by itself
// never gets behind the seal; here it finds the document with their plaintexts instead, and what it
// sends as JSON arrives sealed. Every request comes from an address of its own, so that few are
// refused for being many, and some with a `human` bring a proof of real work.
//
//   node proxy.mjs SITE PORT
import { createServer } from "node:http";
import { SEALED, newAddress, prove, seal } from "./page.mjs";

const [site, port] = process.argv.slice(2);
/** Of so many requests that could bring a proof one does: it takes a third of a second. */
const PROOF_EVERY = 4;
let proofs = 0;

const document = await (await fetch(site + "/openapi.json")).json();
const sealed = new Set();
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    if (!operation.requestBody?.content?.[SEALED]) continue;
    const told = `${operation.summary} ${operation.description}`;
    const [, schema] = /plaintext\s+is\s+`(\w+)`/.exec(told);
    const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
    operation.requestBody = { content, required: true };
    sealed.add(`${method.toUpperCase()} ${path}`);
  }
}

/** The body with a proof in it, where it has a place for one and its turn has come. */
async function withProof(body, isForm, address) {
  if (isForm) {
    const form = new URLSearchParams(body);
    if (!form.has("human") || proofs++ % PROOF_EVERY !== 0) return body;
    form.set("human", await prove(site, address));
    return form.toString();
  }
  let value;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  if (value === null || typeof value !== "object" || !("human" in value)) return body;
  if (proofs++ % PROOF_EVERY !== 0) return body;
  return JSON.stringify({ ...value, human: await prove(site, address) });
}

async function pass(request, response) {
  if (request.url === "/openapi.json") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify(document));
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let body = Buffer.concat(chunks);
  const address = newAddress();
  const { host, connection, "content-length": length, ...headers } = request.headers;
  const type = headers["content-type"] ?? "";
  const [path] = request.url.split("?");
  if (type.startsWith("application/json") || type.includes("urlencoded")) {
    body = await withProof(body.toString(), type.includes("urlencoded"), address);
  }
  if (type.startsWith("application/json") && sealed.has(`${request.method} ${path}`)) {
    body = await seal(site, request.method, path, body.toString());
    headers["content-type"] = SEALED;
  }
  const answer = await fetch(site + request.url, {
    method: request.method,
    headers: { ...headers, "x-forwarded-for": address },
    body: ["GET", "HEAD", "TRACE"].includes(request.method) ? undefined : body,
    redirect: "manual",
  });
  const passed = [...answer.headers].filter(([name]) => !HOP.has(name));
  response.writeHead(answer.status, Object.fromEntries(passed));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Headers that are about one connection, or that `fetch` has dealt with. */
const HOP = new Set(["connection", "content-encoding", "content-length", "transfer-encoding"]);

createServer((request, response) => {
  pass(request, response).catch((error) => {
    // Not the server's fault, and no 5xx for the fuzzer to find.
    console.error(request.method, request.url, error.message);
    response.writeHead(400, { "content-type": "application/json" });
    const told = { success: false, code: "request.malformed", message: "the proxy gave up" };
    response.end(JSON.stringify(told));
  });
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));
