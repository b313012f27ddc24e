import type { Check } from "@/lib/fair/check";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Icon, type IconName } from "@/ui/icon";

const looks: Readonly<
  Record<Check["verdict"], { icon: IconName; title: Key; text: Key; tone: string }>
> = {
  good: { icon: "check", title: "fair.good", text: "fair.good_text", tone: "border-win text-win" },
  bad: {
    icon: "alert",
    title: "fair.bad",
    text: "fair.bad_text",
    tone: "border-live text-live-text",
  },
  open: { icon: "info", title: "fair.open", text: "fair.open_text", tone: "border-line-strong" },
};

/** The outcome of a check, in words, with an icon and a colour. */
export function Verdict({ verdict }: { verdict: Check["verdict"] }) {
  const t = useT();
  const { icon, title, text, tone } = looks[verdict];
  return (
    <div role="status" className={`leaf-lg flex items-start gap-4 border-2 bg-surface p-5 ${tone}`}>
      <Icon name={icon} className="mt-0.5 size-7 shrink-0" />
      <div className="grid gap-1">
        <p className="display text-xl">{t(title)}</p>
        <p className="text-ink">{t(text)}</p>
      </div>
    </div>
  );
}

/** One comparison: equal or not, by sign and word. */
export function Same({ same }: { same: boolean | null }) {
  const t = useT();
  if (same === null) return null;
  return (
    <p className={`flex items-center gap-2 font-semibold ${same ? "text-win" : "text-live-text"}`}>
      <Icon name={same ? "check" : "close"} className="size-5 shrink-0" />
      {t(same ? "fair.same" : "fair.differs")}
    </p>
  );
}
