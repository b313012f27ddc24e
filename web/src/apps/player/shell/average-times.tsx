import { useState } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { between, pageChance } from "@/lib/random";

const whole = 260;
const times = [
  { label: "footer.deposit", minutes: 3 },
  { label: "footer.withdraw", minutes: 5 },
] as const satisfies readonly { label: Key; minutes: number }[];

/** How long money takes on average. The bars are for the eye: the figure is what counts. */
export function AverageTimes() {
  const t = useT();
  const [bars] = useState(() => {
    const chance = pageChance();
    return times.map(() => between(180, 194, chance));
  });
  return (
    <div className="grid content-start gap-3">
      <h2 className="eyebrow text-sm">{t("footer.average_time")}</h2>
      <dl className="grid gap-3">
        {times.map(({ label, minutes }, index) => (
          <div key={label} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
            <dt className="text-sm text-muted">{t(label)}</dt>
            <dd className="flex items-baseline gap-1">
              <span className="figures text-2xl">{minutes}</span>
              <span className="text-sm text-muted">{t("footer.minutes")}</span>
            </dd>
            <svg
              viewBox={`0 0 ${whole} 4`}
              preserveAspectRatio="none"
              className="col-span-2 h-1 w-full"
              aria-hidden="true"
            >
              <rect width={whole} height="4" className="fill-line" />
              <rect width={bars[index]} height="4" className="fill-accent" />
            </svg>
          </div>
        ))}
      </dl>
    </div>
  );
}
