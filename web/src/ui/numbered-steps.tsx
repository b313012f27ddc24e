import { type Key, useT } from "@/lib/i18n/i18n";

export type Step = { title: Key; text: Key };

/** How something goes, one thing after the other. */
export function NumberedSteps({ steps, className }: { steps: readonly Step[]; className: string }) {
  const t = useT();
  return (
    <ol className={className}>
      {steps.map(({ title, text }, index) => (
        <li key={title} className="grid content-start gap-2 border-t border-line-strong pt-4">
          <h2 className="flex items-baseline gap-3 text-lg font-semibold">
            <span className="figures text-accent-text">{index + 1}</span>
            {t(title)}
          </h2>
          <p className="max-w-[62ch] text-muted">{t(text)}</p>
        </li>
      ))}
    </ol>
  );
}
