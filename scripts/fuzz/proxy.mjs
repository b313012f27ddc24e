#!/usr/bin/env node
// A proxy between the fuzzer and the server that seals request bodies. A fuzzer cannot produce sealed bodies
// that the server accepts. So the proxy serves an API document with the plaintext schemas and seals the JSON that
// the fuzzer sends. Every request gets its own IP address, so that few reach a rate limit, and some
// requests with a field `human` get a solved proof of work.
//
//   node proxy.mjs SITE PORT
import { createServer } from "node:http";
import { SEALED, newAddress, prove, seal } from "./page.mjs";

const [site, port] = process.argv.slice(2);
/** One in this many requests with a field `human` gets a solved proof: each takes a third of a second. */
const PROOF_EVERY = 4;
let proofs = 0;

const document = await (await fetch(site + "/openapi.json")).json();
const sealed = new Set();
for (const [path, operations] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    if (!operation.requestBody?.content?.[SEALED]) continue;
    const text = `${operation.summary} ${operation.description}`;
    const [, schema] = /plaintext\s+is\s+`(\w+)`/.exec(text);
    const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
    operation.requestBody = { content, required: true };
    sealed.add(`${method.toUpperCase()} ${path}`);
  }
}

/** Adds a solved proof to every fourth body that has a field `human`. */
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

/** Hop-by-hop headers, and headers that `fetch` has already processed. */
const HOP = new Set(["connection", "content-encoding", "content-length", "transfer-encoding"]);

createServer((request, response) => {
  pass(request, response).catch((error) => {
    // A failure of the proxy: not a 5xx, because the fuzzer would report it as a server error.
    console.error(request.method, request.url, error.message);
    response.writeHead(400, { "content-type": "application/json" });
    const envelope = { success: false, code: "request.malformed", message: "the proxy gave up" };
    response.end(JSON.stringify(envelope));
  });
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));
