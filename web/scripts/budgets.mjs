// Holds the built site to its byte budgets (compressed with gzip). Run after the build.
import { readFile, readdir, stat } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { chunkOf, readManifest, withImports } from "./lib/manifest.mjs";
import { webPath } from "./lib/paths.mjs";

const kilo = 1000;
const limits = {
  homeScript: 135,
  style: 14,
  fonts: 50,
  document: 15,
  chunk: 25,
  office: 220,
  frame: 175,
  game: 60,
};

const manifest = await readManifest();
const sizes = new Map();
async function zipped(file) {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const size = gzipSync(await readFile(webPath(`dist/${file}`)), { level: 9 }).length;
  sizes.set(file, size);
  return size;
}
async function sum(files) {
  let total = 0;
  for (const file of files) total += await zipped(file);
  return total;
}

const filesOf = (sources) => new Set([...sources].map((source) => chunkOf(manifest, source).file));
const stylesOf = (sources) =>
  new Set([...sources].flatMap((source) => chunkOf(manifest, source).css ?? []));
/** A chunk that is loaded later, with what it needs beyond what is already there. */
const beyond = (source, loaded) =>
  new Set([...withImports(manifest, source)].filter((name) => !loaded.has(name)));

const results = [];
function hold(name, bytes, limit) {
  results.push({ name, kB: (bytes / kilo).toFixed(1), limit, ok: bytes <= limit * kilo });
}

const home = withImports(manifest, "index.html");
const words = ["src/locales/en/core.json", "src/locales/fil/core.json"];
const largestWords = Math.max(
  ...(await Promise.all(words.map((name) => zipped(chunkOf(manifest, name).file)))),
);
hold("home: scripts", (await sum(filesOf(home))) + largestWords, limits.homeScript);
hold("home: styles", await sum(stylesOf(home)), limits.style);

const fontNames = (await readdir(webPath("dist/assets"))).filter((name) => name.endsWith(".woff2"));
const fontBytes = await Promise.all(
  fontNames.map(async (name) => (await stat(webPath(`dist/assets/${name}`))).size),
);
hold(
  "fonts",
  fontBytes.reduce((a, b) => a + b, 0),
  limits.fonts,
);

for (const name of (await readdir(webPath("dist"))).filter((file) => file.endsWith(".html"))) {
  hold(name, await zipped(name), limits.document);
}

const office = withImports(manifest, "office.html");
/** Pages of the office are loaded by the office, all others by the site. */
const loadedBefore = (source) => (source.startsWith("src/apps/office/") ? office : home);

/** The frame and the games have budgets of their own. */
const isGame = (source) =>
  /^src\/games\/(?!host\/)/.test(source) || source.includes("node_modules/pixi.js");
for (const [source, chunk] of Object.entries(manifest)) {
  if (!chunk.isDynamicEntry || !chunk.file.endsWith(".js") || isGame(source)) continue;
  const more = beyond(source, loadedBefore(source));
  hold(`chunk ${source}`, await sum(filesOf(more)), limits.chunk);
}

hold("office", (await sum(filesOf(office))) + (await sum(stylesOf(office))), limits.office);

/** Everything a document may load in the end. `skip` cuts branches off. */
function closure(source, skip, seen = new Set()) {
  if (seen.has(source) || skip(source)) return seen;
  seen.add(source);
  const { imports = [], dynamicImports = [] } = chunkOf(manifest, source);
  for (const next of [...imports, ...dynamicImports]) closure(next, skip, seen);
  return seen;
}
const gameOf = (source) => /^src\/games\/.*?([^/]+)\.game\.ts$/.exec(source)?.[1];
hold("frame", await sum(filesOf(withImports(manifest, "game.html"))), limits.frame);
const codes = new Set(Object.keys(manifest).map(gameOf).filter(Boolean));
for (const code of codes) {
  const loaded = closure("game.html", (source) => (gameOf(source) ?? code) !== code);
  const bytes = (await sum(filesOf(loaded))) + (await sum(stylesOf(loaded)));
  hold(`frame with engine and ${code}`, bytes, limits.frame + limits.game);
}

for (const { name, kB, limit, ok } of results) {
  console.log(
    `${ok ? "ok  " : "OVER"} ${kB.padStart(6)} of ${String(limit).padStart(3)} kB  ${name}`,
  );
}
const over = results.filter(({ ok }) => !ok).length;
console.log(`budgets: ${results.length} held, ${over} over`);
process.exitCode = over > 0 ? 1 : 0;
