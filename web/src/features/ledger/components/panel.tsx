import type { ReactNode } from "react";

import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";

type PanelProps = { id: string; title: string; text: string; children?: ReactNode };

/** A framed part of a page with a heading. */
export function Panel({ id, title, text, children }: PanelProps) {
  return (
    <section
      aria-labelledby={id}
      className="leaf-lg grid min-w-0 content-start gap-4 border border-line bg-surface p-5"
    >
      <h2 id={id} className="display text-xl">
        {title}
      </h2>
      <p className="max-w-[60ch] text-muted">{text}</p>
      {children}
    </section>
  );
}

/** What a visitor gets in place of what belongs to a member. */
export function LoginFirst({ text, next }: { text: string; next: string }) {
  const t = useT();
  return (
    <section className="leaf-lg flex flex-wrap items-center justify-between gap-4 border border-line bg-surface p-5">
      <p className="max-w-[52ch]">{text}</p>
      <Button variant="main" onClick={() => openPopup("login", { next })}>
        {t("ledger.login")}
      </Button>
    </section>
  );
}

/** What is shown when a list could not be loaded. */
export function LoadFault({ text, onRetry }: { text: string; onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>{text}</p>
      <Button onClick={onRetry}>{t("ledger.retry")}</Button>
    </div>
  );
}
