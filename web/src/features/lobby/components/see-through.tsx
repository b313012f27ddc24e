import { Link } from "@tanstack/react-router";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";

type Step = { title: Key; text: Key; lit: readonly number[] };

/** Sealed, half open, seen through: the panes let more light in with every step. */
const steps: readonly Step[] = [
  { title: "home.step_commit", text: "home.step_commit_text", lit: [] },
  { title: "home.step_play", text: "home.step_play_text", lit: [4, 9, 10, 15] },
  {
    title: "home.step_check",
    text: "home.step_check_text",
    lit: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
  },
];

function panes(indexes: readonly number[]): string {
  return indexes
    .map((index) => `M${(index % 6) * 20 + 1} ${Math.floor(index / 6) * 20 + 1}h18v18h-18z`)
    .join("");
}
const all = Array.from({ length: 18 }, (_, index) => index);

export default function SeeThrough() {
  const t = useT();
  return (
    <section className="grid gap-5" aria-labelledby="see-through">
      <h2 id="see-through" className="display text-2xl">
        {t("home.see_through")}
      </h2>
      <ol className="grid border-y border-line max-md:divide-y max-md:divide-line md:grid-cols-3 md:divide-x md:divide-line">
        {steps.map((step, index) => (
          <li
            key={step.title}
            className="grid content-start gap-3 py-6 md:px-6 md:first:pl-0 md:last:pr-0"
          >
            <svg viewBox="0 0 120 60" className="h-16 w-32" aria-hidden="true">
              <path d={panes(all)} className="fill-line" />
              <path d={panes(step.lit)} className="fill-accent" />
            </svg>
            <h3 className="flex items-baseline gap-2.5 text-lg font-semibold">
              <span className="figures text-accent-text">{index + 1}</span>
              {t(step.title)}
            </h3>
            <p className="text-sm text-muted">{t(step.text)}</p>
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap gap-x-8">
        <MoreLink to="/fairness" text="home.more_fairness" />
        <MoreLink to="/verify" text="home.more_verify" />
      </p>
    </section>
  );
}

function MoreLink({ to, text }: { to: "/fairness" | "/verify"; text: Key }) {
  const t = useT();
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 font-semibold underline-offset-4 hover:underline"
    >
      {t(text)}
      <Icon name="right" className="size-4 text-accent-text" />
    </Link>
  );
}
