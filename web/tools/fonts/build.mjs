// Makes the site's own font subsets (committed under src/assets/fonts) and proves that no character is missing.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fontkit from "fontkit";
import subsetFont from "subset-font";

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(here, "../../src/assets/fonts");
const limit = 50 * 1024;

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join("");
const ascii = range(0x20, 0x7e);
const accented = "ÀÁÂÈÉÊËÌÍÎÑÒÓÔÙÚÛÜàáâèéêëìíîñòóôùúûü¡¿";
const signs = "\u00a0–—…“”‘’×·•€°%½";

const anybodyAxes = { wdth: { min: 75, max: 150 }, wght: 720 };
const fonts = [
  {
    name: "anybody",
    source: "@fontsource-variable/anybody/files/anybody-latin-standard-normal.woff2",
    text: ascii + "ÁÉÍÑÓÚáéíñóúàèìòùâêîôû\u00a0–—…“”‘’×·€",
    axes: anybodyAxes,
  },
  {
    name: "anybody-money",
    source: "@fontsource-variable/anybody/files/anybody-latin-ext-standard-normal.woff2",
    text: "₱₫",
    axes: anybodyAxes,
  },
  {
    name: "familjen",
    source: "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2",
    text: ascii + accented + signs,
  },
  {
    name: "familjen-money",
    source:
      "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-ext-wght-normal.woff2",
    text: "₱₫",
  },
  { name: "arrows", source: "@expo-google-fonts/familjen-grotesk", text: "←→✓" },
  // Neither face has the baht sign; this one is of the same build.
  { name: "baht", source: "@expo-google-fonts/schibsted-grotesk", text: "฿" },
];

async function find(source) {
  const full = path.join(here, "node_modules", source);
  if (source.endsWith(".woff2")) return full;
  const files = await readdir(full, { recursive: true });
  const file = files.find((name) => name.endsWith("_600SemiBold.ttf"));
  if (!file) throw new Error(`no semi-bold in ${source}`);
  return path.join(full, file);
}

await mkdir(out, { recursive: true });
let total = 0;
for (const { name, source, text, axes } of fonts) {
  const whole = await readFile(await find(source));
  const subset = await subsetFont(whole, text, { targetFormat: "woff2", variationAxes: axes });
  const font = fontkit.create(subset);
  const missing = [...text].filter((char) => !font.hasGlyphForCodePoint(char.codePointAt(0)));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(" ")}`);
  await writeFile(path.join(out, `${name}.woff2`), subset);
  total += subset.length;
  console.log(`${name}.woff2 ${subset.length} bytes, ${text.length} characters`);
}
console.log(`total ${total} bytes`);
if (total > limit) throw new Error(`fonts are larger than ${limit} bytes`);
