import { useT } from "@/lib/i18n/i18n";
import { ClosedPage } from "./closed-page";

/** What an unknown host gets: no merchant, no scripts, only a sentence. */
export function DomainCheck() {
  const t = useT();
  return <ClosedPage name="Capiz" title={t("domain.title")} text={t("domain.text")} />;
}
