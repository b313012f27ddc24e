/** The language codes of the site and the BCP-47 tag of each. One table, nothing else maps codes. */
export const languageTags = {
  BN: "bn",
  CN: "zh-Hans",
  CS: "cs",
  DA: "da",
  DE: "de",
  EL: "el",
  EN: "en",
  ES: "es",
  FI: "fi",
  FR: "fr",
  HI: "hi",
  HU: "hu",
  ID: "id",
  IT: "it",
  JA: "ja",
  KM: "km",
  KO: "ko",
  KR: "ko-KR",
  LO: "lo",
  MS: "ms",
  MY: "my",
  NE: "ne",
  NL: "nl",
  NO: "nb",
  PL: "pl",
  PT: "pt",
  RU: "ru",
  SV: "sv",
  TA: "ta",
  TE: "te",
  TH: "th",
  TR: "tr",
  TW: "zh-Hant",
  TY: "fil",
  UR: "ur",
  VI: "vi",
} as const;

export type LanguageCode = keyof typeof languageTags;

/** Only languages whose translation is complete are offered. */
export const shippedLanguages = [
  { code: "EN", folder: "en", name: "English" },
  { code: "TY", folder: "fil", name: "Tagalog" },
] as const;

export type Lang = (typeof shippedLanguages)[number]["code"];

export function isLang(value: unknown): value is Lang {
  return shippedLanguages.some((language) => language.code === value);
}

export function languageTag(lang: Lang): string {
  return languageTags[lang];
}

export function languageFolder(lang: Lang): "en" | "fil" {
  return lang === "TY" ? "fil" : "en";
}
