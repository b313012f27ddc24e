import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repo = join(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Starts the real server on a data directory of its own, with what more the environment tells it. `stop` asks it to end,
 * waits until it and its database have, and removes the directory.
 */
export async function startServer(profile, port, more = {}) {
  const binary = join(repo, "target", profile, "capiz");
  if (!existsSync(binary)) {
    const command = profile === "release" ? "make build" : "cargo build -p capiz";
    throw new Error(`${binary} is not there: run \`${command}\` first`);
  }
  const data = await mkdtemp(join(tmpdir(), "capiz-"));
  // Run by root, PostgreSQL works under an account of its own and must be able to enter.
  await chmod(data, 0o755);
  const child = spawn(binary, ["serve"], {
    cwd: repo,
    stdio: ["ignore", "ignore", "inherit"],
    // A Ctrl-C reaches the whole group of the terminal: the server gets its one signal from us.
    detached: true,
    env: {
      ...process.env,
      CAPIZ_DATA: data,
      CAPIZ_LISTEN: `127.0.0.1:${port}`,
      CAPIZ_OFFICE_LISTEN: `127.0.0.1:${port + 1}`,
      CAPIZ_METRICS_LISTEN: "off",
      RUST_LOG: process.env["RUST_LOG"] ?? "warn",
      ...more,
    },
  });
  const ended = new Promise((resolve) => child.once("exit", resolve)).then(async (code) => {
    await rm(data, { recursive: true, force: true });
    return code ?? 0;
  });
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { url: `http://127.0.0.1:${port}`, data, binary, ended, stop };
}

/** Waits until the server takes requests. */
export async function untilReady(url, ended) {
  let gone = false;
  void ended.then(() => (gone = true));
  for (;;) {
    if (gone) throw new Error("the server ended before it was ready");
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
