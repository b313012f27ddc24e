import { readToken } from "@/lib/api/token";
import { getBoot } from "@/lib/boot/boot";
import { changeLanguage, rememberLanguage, useLang, useT } from "@/lib/i18n/i18n";
import { isLang, shippedLanguages } from "@/lib/i18n/languages";
import { loadPart } from "@/lib/lazy";
import { toast } from "@/ui/toast";

/** The choice of language; it is kept for the next visit. */
export function LanguageSelect({ className = "" }: { className?: string }) {
  const t = useT();
  const lang = useLang();
  const offered = getBoot().merchant.languages;
  const choose = async (value: string) => {
    if (!isLang(value)) return;
    try {
      await changeLanguage(value);
      rememberLanguage(value);
      if (readToken() === null) return;
      const { tellLanguage } = await loadPart(() => import("@/features/auth/member-language"));
      await tellLanguage(value);
    } catch {
      toast(t("error.network"), "bad");
    }
  };
  return (
    <select
      aria-label={t("language.label")}
      value={lang}
      onChange={(event) => void choose(event.target.value)}
      className={`select leaf min-h-11 border border-line bg-surface pl-3 text-sm hover:border-line-strong ${className}`}
    >
      {shippedLanguages
        .filter(({ code }) => offered.includes(code))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </select>
  );
}
