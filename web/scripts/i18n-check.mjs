// Fails on missing, unused or colliding message keys and on placeholders that differ between languages.
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { webPath } from "./lib/paths.mjs";

const placeholders = (text) =>
  [...text.matchAll(/\{(\d+)\}/g)]
    .map(([, n]) => n)
    .toSorted()
    .join(",");

/** @returns {Map<string, { text: string, file: string }>} the messages of one language, and its collisions */
function merged(files, problems, language) {
  const all = new Map();
  for (const [file, messages] of Object.entries(files)) {
    for (const [key, text] of Object.entries(messages)) {
      const other = all.get(key);
      if (other) problems.push(`${language}: ${key} stands in ${other.file} and in ${file}`);
      all.set(key, { text, file });
    }
  }
  return all;
}

/**
 * Compares languages with English and both with the sources.
 * @param {Record<string, Record<string, Record<string, string>>>} languages folder → file → key → text
 * @param {string} sources everything in which a key may be named
 */
export function checkMessages(languages, sources) {
  const problems = [];
  const english = merged(languages.en ?? {}, problems, "en");
  for (const [language, files] of Object.entries(languages)) {
    if (language === "en") continue;
    const theirs = merged(files, problems, language);
    for (const [key, { text, file }] of english) {
      const other = theirs.get(key);
      if (!other) problems.push(`${language}: ${key} is missing`);
      else if (other.file !== file) problems.push(`${language}: ${key} belongs in ${file}`);
      else if (other.text.trim() === "") problems.push(`${language}: ${key} is empty`);
      else if (placeholders(other.text) !== placeholders(text))
        problems.push(`${language}: ${key} has other placeholders than English`);
    }
    for (const key of theirs.keys()) {
      if (!english.has(key)) problems.push(`${language}: ${key} does not exist in English`);
    }
  }
  const named = new Set(
    [...sources.matchAll(/["'`]([a-z][a-z0-9_.]*)["'`]/g)].map(([, key]) => key),
  );
  for (const key of english.keys())
    if (!named.has(key)) problems.push(`en: ${key} is used nowhere`);
  return problems;
}

async function readLanguages() {
  const languages = {};
  for (const language of await readdir(webPath("src/locales"))) {
    languages[language] = {};
    const names = await readdir(webPath(`src/locales/${language}`), { recursive: true });
    for (const file of names.filter((name) => name.endsWith(".json"))) {
      languages[language][file] = JSON.parse(
        await readFile(webPath(`src/locales/${language}/${file}`), "utf8"),
      );
    }
  }
  return languages;
}

async function readSources() {
  const names = await readdir(webPath("src"), { recursive: true });
  const wanted = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
  const texts = await Promise.all(
    wanted.map((name) => readFile(webPath(path.join("src", name)), "utf8")),
  );
  return texts.join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const languages = await readLanguages();
  const problems = checkMessages(languages, await readSources());
  for (const problem of problems) console.error(problem);
  const keys = Object.values(languages.en).reduce((sum, file) => sum + Object.keys(file).length, 0);
  console.log(
    `i18n: ${keys} keys in ${Object.keys(languages).length} languages, ${problems.length} problems`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}
