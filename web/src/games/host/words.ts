import { type Key, currentLang, t } from "@/lib/i18n/i18n";
import { languageFolder } from "@/lib/i18n/languages";

import { wordFiles } from "../word-files";

type Words = Readonly<Record<string, string>>;

/** The words of games; each game's are a file of their own, loaded with the game alone. */
const files = import.meta.glob<{ default: Words }>("../../locales/*/games/**/*.json");

function pathsOf(gameCode: string): string[] {
  const folder = `../../locales/${languageFolder(currentLang())}/games/`;
  return wordFiles(Object.keys(files), folder, gameCode);
}

/** True for a game that runs in a frame of ours: it has words. */
export function isHosted(gameCode: string): boolean {
  return pathsOf(gameCode).length > 0;
}

/** Everything that a game's frame says, in the current language. */
export async function loadWords(gameCode: string): Promise<Words> {
  const parts = await Promise.all(
    pathsOf(gameCode).map(async (path) => (await files[path]?.())?.default ?? {}),
  );
  const words = Object.entries(Object.assign({}, ...parts) as Words);
  return Object.fromEntries(words.map(([key, text]) => [key, spoken(key, text)]));
}

/** The pages' own translation knows nothing of these keys, except in the pseudo-locale, which shows keys. */
function spoken(key: string, text: string): string {
  const shown = t(key as Key);
  return shown === key ? text : shown;
}
