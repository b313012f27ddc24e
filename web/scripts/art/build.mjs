import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { contentPictures } from "./content.mjs";
import { draw } from "./draw.mjs";
import { scenes } from "./scene.mjs";
import { vendorSigns } from "./vendors.mjs";

/** Raw bytes a tile may have; it is loaded by the dozen. */
const TILE_LIMIT = 8 * 1024;

const target = fileURLToPath(new URL("../../public/art", import.meta.url));
const entries = JSON.parse(await readFile(new URL("./codes.json", import.meta.url), "utf8"));

const wanted = new Map([...vendorSigns(), ...contentPictures()]);
for (const scene of scenes(entries)) {
  const tile = draw(scene, "tile");
  if (tile.length > TILE_LIMIT) throw new Error(`${scene.code}: ${tile.length} bytes`);
  wanted.set(`${scene.code}.svg`, tile);
  wanted.set(`${scene.code}-wide.svg`, draw(scene, "wide"));
}

await mkdir(target, { recursive: true });
for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  if (!wanted.has(relative(target, path).replaceAll("\\", "/"))) await rm(path);
}
for (const [name, svg] of wanted) {
  const path = join(target, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, svg);
}
console.log(`art: ${wanted.size} pictures`);
