import { changeLanguage, rememberLanguage, useLang, useT } from "@/lib/i18n/i18n";
import { shippedLanguages } from "@/lib/i18n/languages";
import { setThemeChoice, useTheme } from "@/lib/theme/theme";
import { IconButton } from "@/ui/icon-button";
import { toast } from "@/ui/toast";
import { Wordmark } from "@/ui/wordmark";

export function OfficeBar() {
  const t = useT();
  const lang = useLang();
  const theme = useTheme();
  const choose = async (code: typeof lang) => {
    try {
      await changeLanguage(code);
      rememberLanguage(code);
    } catch {
      toast(t("error.network"), "bad");
    }
  };
  return (
    <header className="flex items-center gap-4 border-b border-line px-5 py-1.5">
      <Wordmark name="Capiz" />
      <span className="border-l border-line-strong pl-4 text-sm text-muted max-sm:sr-only">
        {t("office.title")}
      </span>
      <fieldset className="ml-auto flex" aria-label={t("language.label")}>
        {shippedLanguages.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            lang={code === "TY" ? "fil" : "en"}
            aria-pressed={lang === code}
            onClick={() => void choose(code)}
            className="min-h-11 px-3 text-sm text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4"
          >
            {name}
          </button>
        ))}
      </fieldset>
      <IconButton
        icon={theme === "dark" ? "sun" : "moon"}
        label={t(theme === "dark" ? "theme.to_light" : "theme.to_dark")}
        onClick={() => setThemeChoice(theme === "dark" ? "light" : "dark")}
      />
    </header>
  );
}
