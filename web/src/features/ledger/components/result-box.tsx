import type { ReactNode } from "react";

import { Icon, type IconName } from "@/ui/icon";

type Tone = "good" | "bad" | "open";

const looks: Readonly<Record<Tone, { icon: IconName; className: string }>> = {
  good: { icon: "check", className: "border-win text-win" },
  bad: { icon: "alert", className: "border-live text-live-text" },
  open: { icon: "info", className: "border-line-strong" },
};

type ResultBoxProps = { tone: Tone; title: string; children: ReactNode };

/** The outcome of a check, in words, with an icon and a colour. */
export function ResultBox({ tone, title, children }: ResultBoxProps) {
  const { icon, className } = looks[tone];
  return (
    <div role="status" className={`leaf-lg flex items-start gap-3 border-2 p-4 ${className}`}>
      <Icon name={icon} className="mt-0.5 size-6 shrink-0" />
      <div className="grid min-w-0 gap-2">
        <p className="display text-lg">{title}</p>
        <div className="grid gap-2 text-ink">{children}</div>
      </div>
    </div>
  );
}
