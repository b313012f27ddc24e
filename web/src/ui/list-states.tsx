import type { ReactNode } from "react";
import { useT } from "@/lib/i18n/i18n";
import { errorText } from "@/lib/api/error-text";
import { Button } from "./button";

/** What could not be loaded, and another try. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>{errorText(error, t)}</p>
      <Button onClick={onRetry}>{t("fault.retry")}</Button>
    </div>
  );
}

type EmptyStateProps = { title: string; text: string; children?: ReactNode };

/** Where there is nothing yet: why, and what to do instead. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className="leaf-lg grid justify-items-start gap-3 border border-dashed border-line-strong p-6">
      <p className="display text-lg text-balance">{title}</p>
      <p className="max-w-[52ch] text-muted">{text}</p>
      {children}
    </div>
  );
}
