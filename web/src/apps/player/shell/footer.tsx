import { Link } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Wordmark } from "@/ui/wordmark";
import { LanguageSelect } from "./language-select";

const links = [
  { to: "/fairness", label: "footer.fairness" },
  { to: "/verify", label: "footer.verify" },
] as const satisfies readonly { to: string; label: Key }[];

export function Footer() {
  const t = useT();
  return (
    <footer className="mt-16 max-lg:pb-16">
      <div className="lattice lattice-down h-20" aria-hidden="true" />
      <div className="grid gap-8 px-4 pt-8 pb-10 sm:grid-cols-2 lg:grid-cols-[1.4fr_1.6fr_1fr_auto] lg:px-7">
        <div className="grid content-start gap-3">
          <Wordmark name={getBoot().merchant.name} />
          <p className="max-w-[34ch] text-sm text-muted">{t("footer.about")}</p>
        </div>
        <div className="flex items-start gap-4">
          <span className="figures grid size-12 shrink-0 place-items-center leaf border-2 border-ink text-lg">
            {t("footer.adults")}
          </span>
          <p className="max-w-[38ch] text-sm text-muted">{t("footer.responsible")}</p>
        </div>
        <ul className="grid content-start">
          {links.map((link) => (
            <li key={link.to}>
              <Link
                to={link.to}
                className="inline-flex min-h-11 items-center underline-offset-4 hover:underline"
              >
                {t(link.label)}
              </Link>
            </li>
          ))}
        </ul>
        <LanguageSelect className="self-start" />
      </div>
    </footer>
  );
}
