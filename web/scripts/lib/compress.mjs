import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const text = /\.(js|css|svg|json|txt|webmanifest)$/;

/** Writes `.br` and `.gz` beside every text file. Documents are left out: the server splices them first. */
export async function compressAll(folder) {
  const names = await readdir(folder, { recursive: true });
  let copies = 0;
  for (const name of names.filter((file) => text.test(file))) {
    const file = path.join(folder, name);
    const raw = await readFile(file);
    const best = {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
      },
    };
    await writeFile(`${file}.br`, await brotli(raw, best));
    await writeFile(`${file}.gz`, await zip(raw, { level: 9 }));
    copies += 2;
  }
  return copies;
}
