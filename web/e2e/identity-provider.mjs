// A real OpenID Connect provider for tests: `oidc-provider`, with a door for the tests to change
// its keys and to make it say what an honest one never would. Prints its address when it is ready.
//
//   node identity-provider.mjs SITE…   the origins whose callbacks it sends visitors back to
//
// Whoever comes is whom the address names by `login_hint`; who comes without is asked for a name.
// At /phone it is a service that verifies phone numbers, for sites on this machine. POST /control takes
// {"keys": "RS256" | "ES256"} for new keys, {"lie": NAME} for one of the lies below (null ends
// it), and {"sign": CLAIMS} to sign any claims with the present key.
import { createServer } from "node:http";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import { formOf, page, phoneService } from "./provider-pages.mjs";

// Standard output is for the address alone: whoever reads it closes it then.
console.info = console.warn = console.error;

const sites = process.argv.slice(2);
const callbacks = (name) => sites.map((site) => `${site}/wps/session/social/${name}/callback`);

let lie = null;
let key;
let provider;

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://localhost:${server.address().port}`;

async function answer(request, response) {
  const path = new URL(request.url, issuer).pathname;
  if (path === "/control") return control(request, response);
  if (path.startsWith("/interaction/")) return enter(request, response);
  if (path === "/phone") return phoneService(request, response, { issuer, sign });
  if (path === "/token" && lie !== null) return pervert(request, response);
  return provider.callback()(request, response);
}

/** Makes new keys; the provider is then another one of the same name and memory. */
async function turnKeys(alg) {
  const pair = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(pair.privateKey)), kid: crypto.randomUUID(), alg, use: "sig" };
  key = { alg, kid: jwk.kid, privateKey: pair.privateKey };
  const client = {
    client_secret: "a secret between the two",
    id_token_signed_response_alg: alg,
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };
  provider = new Provider(issuer, {
    clients: [
      { ...client, client_id: "capiz", redirect_uris: callbacks("oidc") },
      {
        ...client,
        client_id: "capiz-plain",
        redirect_uris: callbacks("oauth"),
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [jwk] },
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256"] },
    cookies: { keys: ["not a secret, this is a test"] },
    pkce: { required: () => true },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => person(id) }),
  });
  allowOtherSites(provider.Client.prototype);
}

/** Sites that tests open beside the first one have hosts that nobody knows before. */
function allowOtherSites(client) {
  const isKnown = client.redirectUriAllowed;
  client.redirectUriAllowed = function isAllowed(address) {
    const { hostname, pathname } = new URL(address);
    if (!hostname.endsWith(".localhost")) return isKnown.call(this, address);
    return this.redirectUris.some((known) => new URL(known).pathname === pathname);
  };
}

/** Everybody has a name and a verified address, except who is called otherwise. */
function person(id) {
  return {
    sub: id,
    name: id === "nameless" ? undefined : `${id} Santos`,
    email: `${id}@mail.example`,
    email_verified: id !== "unverified",
  };
}

/** Lets the visitor in by a name alone, and gives what was asked for; `denied` says no. */
async function enter(request, response) {
  const details = await provider.interactionDetails(request, response);
  const { client_id: clientId, scope, login_hint: hint } = details.params;
  const form = request.method === "POST" ? await formOf(request) : new URLSearchParams();
  const accountId = hint ?? (form.has("refuse") ? "denied" : form.get("person"));
  if (!accountId) return page(response, "Who are you?", "person");
  if (accountId === "denied") {
    const no = { error: "access_denied", error_description: "the visitor said no" };
    return provider.interactionFinished(request, response, no);
  }
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result);
}

/** Lies about the claims or the signature of an id token. */
const lies = {
  nonce: { claims: { nonce: "of another sign-in" } },
  noNonce: { claims: { nonce: undefined } },
  audience: { claims: { aud: "somebody-else" } },
  issuer: { claims: { iss: "http://localhost:1" } },
  expired: { claims: { exp: 1_000_000_000, iat: 999_999_000 } },
  unsigned: { header: { alg: "none" }, signature: "" },
  symmetric: { header: { alg: "HS256" } },
  signature: { signature: "AAAA" },
  foreignKey: { foreign: true },
};

/** The provider's own answer with a perverted id token. */
async function pervert(request, response) {
  const end = response.end.bind(response);
  response.end = (body) => {
    void retell(JSON.parse(body.toString()), end, response);
    return response;
  };
  return provider.callback()(request, response);
}

async function retell(honest, end, response) {
  const { claims = {}, header, signature, foreign } = lies[lie];
  const payload = JSON.parse(Buffer.from(honest.id_token.split(".")[1], "base64url").toString());
  const parts = (await sign({ ...payload, ...claims }, foreign)).split(".");
  if (header) parts[0] = Buffer.from(JSON.stringify(header)).toString("base64url");
  if (signature !== undefined) parts[2] = signature;
  const text = JSON.stringify({ ...honest, id_token: parts.join(".") });
  response.setHeader("content-length", Buffer.byteLength(text));
  end(text);
}

async function sign(claims, foreign = false) {
  const privateKey = foreign ? (await generateKeyPair(key.alg)).privateKey : key.privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(privateKey);
}

async function control(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = JSON.parse(Buffer.concat(chunks).toString());
  if (asked.lie !== undefined) lie = asked.lie;
  if (asked.keys !== undefined) await turnKeys(asked.keys);
  const token = asked.sign === undefined ? null : await sign(asked.sign);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token }));
}

await turnKeys("RS256");
// The test that started it may be killed: then nobody holds the other end any more.
process.stdin.on("end", () => process.exit(0)).resume();
console.log(issuer);
