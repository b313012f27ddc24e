import type { ReactNode } from "react";

import { CopyText } from "@/ui/copy-text";

type StepProps = { number: number; title: string; text: string; children: ReactNode };

/** One step of a calculation, with its number. */
export function Step({ number, title, text, children }: StepProps) {
  return (
    <li className="grid min-w-0 gap-2 pl-5">
      <h3 className="flex items-baseline gap-3 text-lg font-semibold">
        <span className="figures -ml-[2.1rem] grid size-7 shrink-0 place-items-center rounded-xs bg-ink text-canvas">
          {number}
        </span>
        {title}
      </h3>
      <p className="max-w-[68ch] text-muted">{text}</p>
      {children}
    </li>
  );
}

export function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="grid sm:grid-cols-[10rem_1fr] sm:items-start sm:gap-3">
      <span className="pt-2.5 text-sm text-muted">{label}</span>
      <CopyText label={label} value={value} />
    </div>
  );
}

export function Formula({ children }: { children: ReactNode }) {
  return (
    <p className="leaf w-fit max-w-full border border-line bg-surface px-4 py-2 font-mono text-sm wrap-anywhere">
      {children}
    </p>
  );
}

type FoldProps = { label: string; isOpen?: boolean; children: ReactNode };

/** What only some want to see. */
export function Fold({ label, isOpen = false, children }: FoldProps) {
  return (
    <details open={isOpen} className="min-w-0">
      <summary className="min-h-11 w-fit cursor-pointer content-center font-semibold underline underline-offset-4">
        {label}
      </summary>
      <div className="grid min-w-0 gap-2 pt-2">{children}</div>
    </details>
  );
}
