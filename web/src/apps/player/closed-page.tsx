import type { ReactNode } from "react";
import { Wordmark } from "@/ui/wordmark";

type ClosedPageProps = {
  name: string;
  title: string;
  text: string;
  /** What stands at the end of the bar. */
  controls?: ReactNode;
  children?: ReactNode;
};

/** A page in place of the site: the mark, a panel of panes, what is the matter and what one can do. */
export function ClosedPage({ name, title, text, controls, children }: ClosedPageProps) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="flex min-h-16 items-center gap-2 border-b border-line px-4 lg:px-7">
        <span className="mr-auto">
          <Wordmark name={name} />
        </span>
        {controls}
      </header>
      <main className="grid p-4 lg:p-7">
        <section className="leaf-lg relative grid content-center justify-items-start gap-5 overflow-hidden border border-line bg-surface p-6 max-sm:content-start max-sm:pt-12 sm:p-14">
          <div
            className="lattice lattice-right absolute inset-y-0 right-0 w-1/2 max-sm:hidden"
            aria-hidden="true"
          />
          <div
            className="lattice lattice-up absolute inset-x-0 bottom-0 h-2/5 sm:hidden"
            aria-hidden="true"
          />
          <h1 className="relative display max-w-[16ch] text-[min(2.25rem,7vw)] sm:text-5xl">
            {title}
          </h1>
          <p className="relative max-w-[46ch] text-muted sm:text-lg">{text}</p>
          {children}
        </section>
      </main>
    </div>
  );
}
