import { type ReactNode, type Ref, useEffect, useId, useRef } from "react";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { focusRow } from "@/ui/keep-focus";

type PanelProps = {
  title: string;
  children: ReactNode;
  /** Where the focus is put on it. */
  ref?: Ref<HTMLElement>;
};

/** A framed part of the page with a heading. */
export function Panel({ title, children, ref }: PanelProps) {
  const id = useId();
  return (
    <section
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      aria-labelledby={id}
      className="leaf-lg grid min-w-0 content-start gap-4 border border-line bg-surface p-5"
    >
      <h2 id={id} className="display text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

type RowProps = {
  label: string;
  value?: ReactNode;
  children?: ReactNode;
  /** Whether the focus comes back to it when it is shown again in the place of a form. */
  isBack?: boolean;
};

/** One fact of the account, and what can be done about it. */
export function Row({ label, value, children, isBack = false }: RowProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isBack && ref.current) focusRow(ref.current);
  }, [isBack]);
  return (
    <div
      ref={ref}
      data-row
      className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-line py-2 not-last:border-b"
    >
      <div className="min-w-32 flex-1">
        <p className="text-sm text-muted">{label}</p>
        {value !== undefined && <p className="wrap-anywhere">{value}</p>}
      </div>
      {children}
    </div>
  );
}

/** A list that could not be loaded: why, and another try. */
export function ListFault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useT();
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p>{errorText(error, t)}</p>
      <Button onClick={onRetry}>{t("security.retry")}</Button>
    </div>
  );
}
