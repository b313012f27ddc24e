/** What every table says. */
const TABLE = "table.json";
/** What games of one family share, beside their own files in a folder of the family. */
const FAMILY = "all.json";

/**
 * The files with the words of a game among those that there are: the table's, its family's if it has one, and its own.
 * Empty for a game without words, which is none of ours.
 */
export function wordFiles(known: readonly string[], folder: string, gameCode: string): string[] {
  const own = known.find((path) => path.startsWith(folder) && path.endsWith(`/${gameCode}.json`));
  if (own === undefined) return [];
  const family = own.replace(/[^/]+$/, FAMILY);
  return [`${folder}${TABLE}`, ...(known.includes(family) ? [family] : []), own];
}
