import { type ReactNode, useId } from "react";
import type { Verdict } from "./api";
import { StateMark, VerdictText } from "./verdict";

type HealthCardProps = { title: string; verdict?: Verdict; children: ReactNode };

/** A part of the house: its name, how it does, what that means, and its figures. */
export function HealthCard({ title, verdict, children }: HealthCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="leaf grid min-w-0 content-start gap-3 border border-line bg-surface p-4 tabular-nums"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="display text-lg">
          {title}
        </h2>
        {verdict && <StateMark state={verdict.state} />}
      </div>
      {verdict && <VerdictText verdict={verdict} />}
      {children}
    </section>
  );
}
