import { getBoot } from "@/lib/boot/boot";
import { type Key, useT } from "@/lib/i18n/i18n";

type Part = { title: Key; text: Key };

const terms: readonly Part[] = [
  { title: "terms.who", text: "terms.who_text" },
  { title: "terms.money", text: "terms.money_text" },
  { title: "terms.credit", text: "terms.credit_text" },
  { title: "terms.round", text: "terms.round_text" },
  { title: "terms.check", text: "terms.check_text" },
  { title: "terms.odds", text: "terms.odds_text" },
  { title: "terms.use", text: "terms.use_text" },
  { title: "terms.close", text: "terms.close_text" },
  { title: "terms.change", text: "terms.change_text" },
];

const privacy: readonly Part[] = [
  { title: "privacy.account", text: "privacy.account_text" },
  { title: "privacy.play", text: "privacy.play_text" },
  { title: "privacy.browser", text: "privacy.browser_text" },
  { title: "privacy.shown", text: "privacy.shown_text" },
  { title: "privacy.never", text: "privacy.never_text" },
  { title: "privacy.time", text: "privacy.time_text" },
  { title: "privacy.rights", text: "privacy.rights_text" },
];

/** What a member agrees to and what is kept about them, in plain words. */
export default function TermsPage() {
  const t = useT();
  const { name } = getBoot().merchant;
  return (
    <article className="grid grid-cols-1 gap-12">
      <header className="grid gap-4">
        <h1 className="display text-[min(1.875rem,8vw)] sm:text-4xl">{t("nav.terms")}</h1>
        <p className="max-w-[62ch] text-lg">{t("terms.lead", name)}</p>
      </header>
      <Section id="terms" title="terms.title" parts={terms} />
      <Section id="privacy" title="privacy.title" parts={privacy} />
    </article>
  );
}

function Section({ id, title, parts }: { id: string; title: Key; parts: readonly Part[] }) {
  const t = useT();
  const { name, currency } = getBoot().merchant;
  return (
    <section aria-labelledby={id} className="grid gap-6">
      <h2 id={id} className="display text-2xl">
        {t(title)}
      </h2>
      <dl className="grid border-b border-line">
        {parts.map((part) => (
          <div
            key={part.title}
            className="grid gap-x-10 gap-y-1.5 border-t border-line py-5 md:grid-cols-[14rem_minmax(0,1fr)]"
          >
            <dt className="font-semibold">{t(part.title)}</dt>
            <dd className="max-w-[68ch] text-muted">{t(part.text, name, currency)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
