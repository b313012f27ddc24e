// Makes the checker that players keep: one page that needs nothing but itself. It is in the repository, readable, so
// that whoever wants to trust it can read it; a test holds it against its sources.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { webPath } from "./lib/paths.mjs";

export const VERIFIER = webPath("public/downloads/capiz-verifier.html");

async function bundle() {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    resolve: { alias: { "@": webPath("src") } },
    build: {
      write: false,
      minify: false,
      target: "es2023",
      modulePreload: false,
      rolldownOptions: { input: webPath("src/verifier/main.ts"), output: { format: "iife" } },
    },
  });
  const { output } = Array.isArray(result) ? result[0] : result;
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`more than one file: ${others.map((o) => o.fileName)}`);
  return chunk.code.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page as text: the same for the same sources. */
export async function verifierPage() {
  const script = `\n${(await bundle()).replaceAll("</script", "<\\/script")}\n`;
  const style = `\n${(await readFile(webPath("src/verifier/verifier.css"), "utf8")).trim()}\n`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}`;
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>Capiz</title>",
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const page = await verifierPage();
  await mkdir(dirname(VERIFIER), { recursive: true });
  await writeFile(VERIFIER, page);
  console.log(`verifier: ${Math.round(page.length / 1000)} kB`);
}
