import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";

import { draw } from "./draw.mjs";
import { scenes } from "./scene.mjs";

/** Raw bytes a tile may have; it is loaded by the dozen. */
const TILE_LIMIT = 8 * 1024;

const target = new URL("../../public/art/", import.meta.url);
const entries = JSON.parse(await readFile(new URL("./codes.json", import.meta.url), "utf8"));

await mkdir(target, { recursive: true });
const wanted = new Map();
for (const scene of scenes(entries)) {
  wanted.set(`${scene.code}.svg`, draw(scene, "tile"));
  wanted.set(`${scene.code}-wide.svg`, draw(scene, "wide"));
}
for (const name of await readdir(target)) {
  if (!wanted.has(name)) await rm(new URL(name, target));
}
for (const [name, svg] of wanted) {
  if (!name.endsWith("-wide.svg") && svg.length > TILE_LIMIT)
    throw new Error(`${name}: ${svg.length} bytes`);
  await writeFile(new URL(name, target), svg);
}
console.log(`art: ${wanted.size} pictures`);
