import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { webPath } from "./paths.mjs";

const kept = webPath(".build/manifest.json");

/** Takes Vite's manifest out of dist: the server serves everything that lies there. */
export async function keepManifest() {
  await mkdir(webPath(".build"), { recursive: true });
  await rename(webPath(".build/dist/.vite/manifest.json"), kept);
  await rm(webPath(".build/dist/.vite"), { recursive: true });
  return readManifest();
}

export async function readManifest() {
  return JSON.parse(await readFile(kept, "utf8"));
}

/** The entry of a source file; a missing one is a mistake in the build, not in the page. */
export function chunkOf(manifest, source) {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`the build has no ${source}`);
  return chunk;
}

/** A chunk and everything it imports at once, without what it loads later. */
export function withImports(manifest, source, seen = new Set()) {
  if (seen.has(source)) return seen;
  seen.add(source);
  for (const next of chunkOf(manifest, source).imports ?? []) withImports(manifest, next, seen);
  return seen;
}
