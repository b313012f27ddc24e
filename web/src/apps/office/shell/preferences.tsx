import { changeLanguage, rememberLanguage, useLang, useT } from "@/lib/i18n/i18n";
import { type Lang, languageTag, shippedLanguages } from "@/lib/i18n/languages";
import { setThemeChoice, useTheme } from "@/lib/theme/theme";
import { IconButton } from "@/ui/icon-button";
import { toast } from "@/ui/toast";

export function LanguageChoice({ className = "" }: { className?: string }) {
  const t = useT();
  const lang = useLang();
  const choose = async (code: Lang) => {
    try {
      await changeLanguage(code);
      rememberLanguage(code);
    } catch {
      toast(t("error.network"), "bad");
    }
  };
  return (
    <fieldset className={`flex ${className}`} aria-label={t("language.label")}>
      {shippedLanguages.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={languageTag(code)}
          aria-pressed={lang === code}
          onClick={() => void choose(code)}
          className="min-h-11 px-3 text-sm text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4"
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

export function ThemeButton({ className = "" }: { className?: string }) {
  const t = useT();
  const theme = useTheme();
  return (
    <IconButton
      icon={theme === "dark" ? "sun" : "moon"}
      label={t(theme === "dark" ? "theme.to_light" : "theme.to_dark")}
      onClick={() => setThemeChoice(theme === "dark" ? "light" : "dark")}
      className={className}
    />
  );
}
