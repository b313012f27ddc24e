import { Link } from "@tanstack/react-router";
import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";

export function NotFound() {
  const t = useT();
  return (
    <section className="leaf-lg relative grid min-h-[60vh] content-center justify-items-start gap-5 overflow-hidden border border-line bg-surface p-6 sm:p-14">
      <div
        className="lattice lattice-right absolute inset-y-0 right-0 w-3/5 max-sm:top-auto max-sm:h-1/4 max-sm:w-full"
        aria-hidden="true"
      />
      <p className="figures relative text-8xl text-accent-text">{t("not_found.number")}</p>
      <h1 className="display relative text-3xl sm:text-4xl">{t("not_found.title")}</h1>
      <p className="relative max-w-[46ch] text-muted">{t("not_found.text")}</p>
      <Link to="/" className={buttonClass("main", "lg", "relative")}>
        {t("not_found.home")}
      </Link>
    </section>
  );
}
