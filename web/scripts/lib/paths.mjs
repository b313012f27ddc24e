import { fileURLToPath } from "node:url";

/** A path inside the web folder. */
export function webPath(name) {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}
