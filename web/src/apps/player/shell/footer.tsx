import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Icon, type IconName } from "@/ui/icon";
import { Wordmark } from "@/ui/wordmark";
import { AverageTimes } from "./average-times";
import { LanguageSelect } from "./language-select";
import { Outline } from "./outline";
import { Products } from "./products";
import { Service } from "./service";
import { VendorLogos } from "./vendor-logos";

const pages = [
  { to: "/about", label: "footer.about_us" },
  { to: "/fairness", label: "footer.fairness" },
  { to: "/verify", label: "footer.verify" },
  { to: "/proof", label: "footer.proof" },
  { to: "/responsible", label: "footer.play_safe" },
  { to: "/terms", label: "footer.terms" },
  { to: "/privacy", label: "footer.privacy" },
  { to: "/down", label: "footer.app" },
  { to: "/join", label: "footer.affiliates" },
] as const satisfies readonly { to: string; label: Key }[];

/** What we stand for, each with the page on which it can be checked. They are our own marks, nobody's seal. */
const marks = [
  { to: "/fairness", icon: "fair", label: "footer.mark_fair" },
  { to: "/proof", icon: "verify", label: "footer.mark_proof" },
  { to: "/privacy", icon: "lock", label: "footer.mark_sealed" },
  { to: "/responsible", icon: "shield", label: "footer.mark_safe" },
] as const satisfies readonly { to: string; icon: IconName; label: Key }[];

const link =
  "inline-flex min-h-11 min-w-11 items-center gap-2 text-left underline-offset-4 hover:underline";

/** The end of every page: help, what we offer, where else we are, what we stand for. */
export default function Footer() {
  return (
    <footer className="footer mt-16">
      <div className="lattice lattice-down h-20" aria-hidden="true" />
      <div className="grid gap-10 px-4 pt-8 pb-6 lg:px-7 lg:pb-10">
        <div className="grid gap-x-12 gap-y-10 md:grid-cols-2 xl:grid-cols-[1.3fr_1.5fr_1fr]">
          <House />
          <HelpMenu />
          <div className="grid content-start gap-8">
            <AverageTimes />
            <FollowUs />
          </div>
        </div>
        <Products />
        <Marks />
        <VendorLogos />
      </div>
    </footer>
  );
}

function Part({ title, children }: { title: Key; children: ReactNode }) {
  const t = useT();
  return (
    <div className="grid content-start gap-2">
      <h2 className="eyebrow text-sm">{t(title)}</h2>
      {children}
    </div>
  );
}

function House() {
  const t = useT();
  const { merchant } = getBoot();
  return (
    <div className="grid content-start justify-items-start gap-4">
      <Wordmark name={merchant.name} />
      <p className="max-w-[38ch] text-sm text-muted">{t("footer.about")}</p>
      <div className="flex items-start gap-4">
        <span className="figures grid size-12 shrink-0 place-items-center leaf border-2 border-ink text-lg">
          {t("footer.adults")}
        </span>
        <p className="max-w-[38ch] text-sm text-muted">{t("footer.responsible")}</p>
      </div>
      <LanguageSelect />
    </div>
  );
}

function HelpMenu() {
  const t = useT();
  return (
    <Part title="footer.help">
      <ul className="grid grid-cols-2 gap-x-6">
        <li>
          <button type="button" onClick={() => openPopup("help", {})} className={link}>
            {t("footer.help_center")}
          </button>
        </li>
        <li>
          <Service className={link}>{t("service")}</Service>
        </li>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={link}>
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function FollowUs() {
  const { social } = getBoot().links;
  if (social.length === 0) return null;
  return (
    <Part title="footer.follow">
      <ul className="flex flex-wrap gap-x-6">
        {social.map(({ label, url, type }) => (
          <li key={url}>
            <a data-name href={url} target="_blank" rel="noopener noreferrer" className={link}>
              <Outline name={type} className="size-5 text-muted" />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Marks() {
  const t = useT();
  return (
    <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {marks.map(({ to, icon, label }) => (
        <li key={label}>
          <Link
            to={to}
            className="leaf flex h-full min-h-14 items-center gap-3 border border-line px-4 py-2 text-sm hover:border-line-strong"
          >
            <Icon name={icon} className="size-6 shrink-0 text-accent-text" />
            {t(label)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
