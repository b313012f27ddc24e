import { Link } from "@tanstack/react-router";

import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";

/** A link to a game that we do not have: say so, and show the way to those that we do. */
export function UnknownGame({ gameCode }: { gameCode: string }) {
  const t = useT();
  return (
    <section className="leaf-lg relative grid min-h-[50vh] content-center justify-items-start gap-4 overflow-hidden border border-line bg-surface p-6 sm:p-14">
      <div className="lattice lattice-right absolute inset-y-0 right-0 w-3/5" aria-hidden="true" />
      <h1 className="display relative text-3xl">{t("game.unknown")}</h1>
      <p className="relative max-w-[46ch] break-all text-muted">
        {t("game.unknown_text", gameCode)}
      </p>
      <Link to="/" className={buttonClass("main", "lg", "relative")}>
        {t("game.home")}
      </Link>
    </section>
  );
}
