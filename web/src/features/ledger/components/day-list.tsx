import type { ReactNode } from "react";

import type { DailyRoot } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal } from "@/lib/money/money";
import { shortHash } from "@/lib/short";
import { clockText } from "@/lib/time";
import { CopyText } from "@/ui/copy-text";

import { dayText } from "../model";
import { useSumText } from "./sum";

/** The published totals, newest first. */
export function DayList({ days }: { days: readonly DailyRoot[] }) {
  return (
    <ul className="grid divide-y divide-line border-y border-line">
      {days.map((day) => (
        <DayRow key={`${day.day} ${day.currency}`} day={day} />
      ))}
    </ul>
  );
}

function DayRow({ day }: { day: DailyRoot }) {
  const t = useT();
  const tag = useLanguageTag();
  const sumText = useSumText();
  return (
    <li>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-1 py-3 sm:grid-cols-3 lg:grid-cols-[1fr_1.4fr_0.7fr_1.4fr_1fr]">
        <Fact label={t("proof.day")}>
          <time dateTime={day.day} className="figures text-lg">
            {dayText(day.day)}
          </time>
        </Fact>
        <Fact label={t("proof.total")}>
          <span className="figures text-lg wrap-anywhere whitespace-normal">
            {sumText(day.total, day.currency)}
          </span>
        </Fact>
        <Fact label={t("proof.members")}>
          <span className="figures">{formatDecimal(String(day.leaves), tag)}</span>
        </Fact>
        <Fact label={t("proof.made")}>
          <time dateTime={day.madeAt} className="text-sm">
            {clockText(new Date(day.madeAt), getBoot().merchant.timeZone)}
          </time>
        </Fact>
        <Fact label={t("proof.root")}>
          <CopyText label={t("proof.root")} value={day.root} short={shortHash(day.root)} />
        </Fact>
      </dl>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex min-h-11 min-w-0 items-center">{children}</dd>
    </div>
  );
}
