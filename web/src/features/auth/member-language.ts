import { call } from "@/lib/api/client";
import { getBoot } from "@/lib/boot/boot";
import { changeLanguage, currentLang, keptLanguage, rememberLanguage } from "@/lib/i18n/i18n";
import { type Lang, isLang } from "@/lib/i18n/languages";

/** Tells the server which language the member chose, so that other devices and messages speak it, too. */
export async function tellLanguage(language: Lang): Promise<void> {
  // The choice holds here in any case; the server is told again with the next one.
  await call("PUT", "/wps/member/language", { body: { language } }).catch(() => undefined);
}

type Speaker = { account: string; language?: string | null };

/** On a device that has no choice of its own yet, the member's language is spoken. */
export async function speakLanguageOf({ language }: Speaker): Promise<void> {
  const isOffered = isLang(language) && getBoot().merchant.languages.includes(language);
  if (!isOffered || keptLanguage() !== null || language === currentLang()) return;
  rememberLanguage(language);
  await changeLanguage(language);
}
