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
    <div role="status" className={`leaf-lg grid min-w-0 gap-2 border-2 p-4 ${className}`}>
      <p className="display flex items-start gap-3 text-lg">
        <Icon name={icon} className="mt-0.5 size-6 shrink-0" />
        {title}
      </p>
      <div className="grid max-w-[68ch] min-w-0 gap-2 text-ink">{children}</div>
    </div>
  );
}
