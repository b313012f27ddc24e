import { type ReactNode, useId } from "react";

/** A framed part of a page with a heading. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="leaf grid min-w-0 content-start gap-3 border border-line bg-surface p-4"
    >
      <h2 id={id} className="display text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Facts by name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-5 gap-y-1.5">{children}</dl>;
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The head of a page: its name, and what can be done on it. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 pb-4">
      <h1 className="display grow text-2xl">{title}</h1>
      {children}
    </header>
  );
}
