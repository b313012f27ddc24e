// The server under test and the provider that it knows, for as long as this process lives. What the tests have to know
// of them is written into a file.
import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { repo, startServer } from "./server.mjs";

const port = Number(process.argv[2] ?? 18080);
const note = join(repo, `var/e2e-${port}.json`);

/** Starts the provider of identities; gives its address. It ends with us: its input closes then. */
async function startProvider() {
  const script = join(dirname(fileURLToPath(import.meta.url)), "identity-provider.mjs");
  const child = spawn(process.execPath, [script, `http://127.0.0.1:${port}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(data.toString().split("\n")));
    child.once("exit", () => reject(new Error("the identity provider did not start")));
  });
  return { issuer: line, stop: () => child.kill() };
}

function environmentOf(issuer) {
  const secret = "a secret between the two";
  return {
    // Tests that are strict with addresses come from one each, as if through a proxy.
    CAPIZ_TRUSTED_PROXIES: "127.0.0.1",
    // A machine that others use as well may keep a test waiting.
    CAPIZ_PATIENCE: "120",
    CAPIZ_OIDC_NAME: "Harbor",
    CAPIZ_OIDC_ISSUER: issuer,
    CAPIZ_OIDC_CLIENT_ID: "capiz",
    CAPIZ_OIDC_CLIENT_SECRET: secret,
    CAPIZ_OAUTH_NAME: "Fisherfolk",
    CAPIZ_OAUTH_AUTHORIZE_URL: `${issuer}/auth`,
    CAPIZ_OAUTH_TOKEN_URL: `${issuer}/token`,
    CAPIZ_OAUTH_USER_URL: `${issuer}/me`,
    CAPIZ_OAUTH_CLIENT_ID: "capiz-plain",
    CAPIZ_OAUTH_CLIENT_SECRET: secret,
    CAPIZ_OAUTH_SCOPE: "openid profile email",
    CAPIZ_OAUTH_ID_FIELD: "sub",
    CAPIZ_PHONE_ISSUER: `${issuer}/phone`,
    CAPIZ_PHONE_AUDIENCE: "capiz-phones",
    CAPIZ_PHONE_KEYS_URL: `${issuer}/jwks`,
    CAPIZ_PHONE_PAGE_URL: `${issuer}/phone`,
  };
}

const provider = await startProvider();
const server = await startServer("debug", port, environmentOf(provider.issuer));
await mkdir(dirname(note), { recursive: true });
await writeFile(note, JSON.stringify({ data: server.data, binary: server.binary }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void server.stop());
process.exitCode = await server.ended;
provider.stop();
await rm(note, { force: true });
