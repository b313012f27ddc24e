import { useT } from "@/lib/i18n/i18n";
import { Wordmark } from "@/ui/wordmark";

/** What an unknown host gets: no merchant, no scripts, only a sentence. */
export function DomainCheck() {
  const t = useT();
  return (
    <main className="mx-auto grid min-h-dvh max-w-3xl content-center justify-items-start gap-6 p-6 sm:p-12">
      <Wordmark name="Capiz" />
      <div className="lattice lattice-down h-40 w-full" aria-hidden="true" />
      <h1 className="display text-3xl sm:text-5xl">{t("domain.title")}</h1>
      <p className="max-w-prose text-lg text-muted">{t("domain.text")}</p>
    </main>
  );
}
