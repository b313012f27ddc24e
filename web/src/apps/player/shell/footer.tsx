import { Link } from "@tanstack/react-router";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Wordmark } from "@/ui/wordmark";
import { LanguageSelect } from "./language-select";

const pages = [
  { to: "/fairness", label: "footer.fairness" },
  { to: "/terms", hash: "terms", label: "footer.terms" },
  { to: "/verify", label: "footer.verify" },
  { to: "/terms", hash: "privacy", label: "footer.privacy" },
  { to: "/proof", label: "footer.proof" },
] as const satisfies readonly { to: string; hash?: string; label: Key }[];

const link = "inline-flex min-h-11 min-w-11 items-center underline-offset-4 hover:underline";
const activeOptions = { includeHash: true } as const;

export function Footer() {
  const t = useT();
  const { service, social } = getBoot().links;
  const outside = service ? [[t("service"), service] as const, ...social] : social;
  return (
    <footer className="footer mt-16">
      <div className="lattice lattice-down h-20" aria-hidden="true" />
      <div className="grid gap-8 px-4 pt-8 pb-6 sm:grid-cols-2 lg:grid-cols-[1.2fr_1.4fr_auto_auto] lg:px-7 lg:pb-10">
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
        <ul className="grid grid-cols-[auto_auto] content-start justify-start gap-x-8 sm:whitespace-nowrap">
          {pages.map(({ label, ...to }) => (
            <li key={label}>
              <Link {...to} activeOptions={activeOptions} className={link}>
                {t(label)}
              </Link>
            </li>
          ))}
          {outside.map(([label, url]) => (
            <li key={url}>
              <a data-name href={url} className={link}>
                {label}
              </a>
            </li>
          ))}
        </ul>
        <LanguageSelect className="self-start" />
      </div>
    </footer>
  );
}
