import { Link } from "@tanstack/react-router";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";

/** The way to the check of a round, and what one finds there. */
export default function CheckRound() {
  const t = useT();
  const visitor = useSession().kind === "visitor";
  return (
    <section
      aria-labelledby="check-round"
      className="leaf-lg grid gap-4 border border-line bg-surface p-5"
    >
      <h2 id="check-round" className="display text-lg">
        {t("home.check_title")}
      </h2>
      <p className="text-sm text-muted">{t(visitor ? "home.check_visitor" : "home.check_text")}</p>
      <Link to="/verify" className={buttonClass()}>
        {t("home.more_verify")}
      </Link>
    </section>
  );
}
