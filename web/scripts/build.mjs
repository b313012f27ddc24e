// The whole build: tile art, the three entries, prerendered documents, compressed copies.
import { rename, rm } from "node:fs/promises";
import { build } from "vite";
import { compressAll } from "./lib/compress.mjs";
import { keepManifest } from "./lib/manifest.mjs";
import { prerender } from "./lib/prerender.mjs";
import { webPath } from "./lib/paths.mjs";

await import("./art/build.mjs");
await build({
  root: webPath("."),
  logLevel: "warn",
  build: { outDir: ".build/dist", emptyOutDir: true },
});
const manifest = await keepManifest();
await build({
  root: webPath("."),
  logLevel: "warn",
  build: {
    ssr: "src/apps/player/entry-server.tsx",
    outDir: ".build/ssr",
    emptyOutDir: true,
    copyPublicDir: false,
  },
});
const documents = await prerender(manifest);
const copies = await compressAll(webPath(".build/dist"));

// A server that reads dist meanwhile sees the old site or the new one, never half of it.
await rm(webPath(".build/old"), { recursive: true, force: true });
await rename(webPath("dist"), webPath(".build/old")).catch(() => undefined);
await rename(webPath(".build/dist"), webPath("dist"));
await rm(webPath(".build/old"), { recursive: true, force: true });
console.log(`web: ${documents} documents, ${copies} compressed copies in dist`);
