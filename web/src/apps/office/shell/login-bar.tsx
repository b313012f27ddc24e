import { useT } from "@/lib/i18n/i18n";
import { Wordmark } from "@/ui/wordmark";
import { LanguageChoice, ThemeButton } from "./preferences";

/** The header before anybody is logged in. */
export function LoginBar() {
  const t = useT();
  return (
    <header className="flex items-center gap-4 border-b border-line px-5 py-1.5">
      <Wordmark name="Capiz" />
      <span className="border-l border-line-strong pl-4 text-sm text-muted max-sm:sr-only">
        {t("office.title")}
      </span>
      <LanguageChoice className="ml-auto" />
      <ThemeButton />
    </header>
  );
}
