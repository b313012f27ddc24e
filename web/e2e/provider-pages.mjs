// The pages that the provider of the tests shows to people.

/** What a form has sent. */
export async function formOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** A page that asks one question. It is answered to the address that it stands at. */
export function page(response, question, name, value = "") {
  const safe = value.replaceAll(/[^\w+.@ -]/g, "");
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
    `<!doctype html><html lang="en"><title>Provider</title>
     <form method="post"><p><label>${question} <input name="${name}" value="${safe}"></label></p>
     <p><button>Go on</button> <button name="refuse" value="1">Refuse</button></p></form></html>`,
  );
}

/** Only sites on this machine are sent visitors with a token. */
function isLocal(address) {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && /^(127\.0\.0\.1|([\w-]+\.)?localhost)$/.test(hostname);
}

/** Verifies whatever number it is given, and says so by OpenID Connect's implicit flow. */
export async function phoneService(request, response, { issuer, sign }) {
  const query = new URL(request.url, issuer).searchParams;
  const back = query.get("redirect_uri") ?? "";
  if (query.get("response_type") !== "id_token" || !URL.canParse(back) || !isLocal(back)) {
    response.writeHead(400).end();
    return;
  }
  if (request.method !== "POST")
    return page(response, "Your number", "number", query.get("login_hint") ?? "");
  const form = await formOf(request);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `${issuer}/phone`,
    aud: query.get("client_id"),
    sub: form.get("number"),
    phone_number: form.get("number"),
    nonce: query.get("nonce"),
    iat: now,
    exp: now + 3600,
  };
  const told = form.has("refuse") ? { error: "access_denied" } : { id_token: await sign(claims) };
  const hash = new URLSearchParams({ ...told, state: query.get("state") ?? "" });
  response.writeHead(303, { location: `${back}#${hash}` }).end();
}
