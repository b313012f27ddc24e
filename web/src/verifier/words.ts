import type { Translate } from "@/lib/i18n/i18n";
import enFair from "@/locales/en/fair.json";
import enTold from "@/locales/en/told.json";
import filFair from "@/locales/fil/fair.json";
import filTold from "@/locales/fil/told.json";

export type Language = "en" | "fil";

/** The names of the languages, each in itself. */
export const languages: Readonly<Record<Language, string>> = { en: "English", fil: "Tagalog" };

const texts: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { ...enFair, ...enTold },
  fil: { ...filFair, ...filTold },
};

/** The sentences of a language. */
export function translate(language: Language): Translate {
  return (key, ...args) =>
    (texts[language][key] ?? key).replace(/\{(\d+)\}/g, (whole, index: string) =>
      String(args[Number(index)] ?? whole),
    );
}
