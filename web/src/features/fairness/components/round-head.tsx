import type { ReactNode } from "react";

import type { Round } from "@/lib/api/types";
import { getBoot } from "@/lib/boot/boot";
import { rollText } from "@/lib/fair/dice";
import { useT } from "@/lib/i18n/i18n";
import { shortNumber } from "@/lib/short";
import { clockText } from "@/lib/time";
import { CopyText } from "@/ui/copy-text";
import { Money } from "@/ui/money";

/** Which round is judged: what was bet, what came of it, and the numbers to find it again. */
export function RoundHead({ round }: { round: Round }) {
  const t = useT();
  const { target, direction } = round.choice;
  const rolled = round.book.find((event) => event.type === "roll");
  const time = clockText(new Date(round.playedAt), getBoot().merchant.timeZone);
  const tone = rolled?.won ? "text-win" : "";
  return (
    <section aria-labelledby="round" className="grid gap-3">
      <h2 id="round" className="display text-xl">
        {t("fair.round_of", time)}
      </h2>
      <dl className="leaf-lg grid grid-cols-2 gap-x-6 gap-y-3 border border-line bg-surface p-5 sm:grid-cols-4">
        <Fact label={t("fair.roll")}>
          <span className={`figures text-2xl ${tone}`}>{rolled ? rollText(rolled.roll) : "–"}</span>
        </Fact>
        <Fact label={t("fair.bet")}>
          {t(direction === "under" ? "fair.bet_under" : "fair.bet_over", rollText(target))}
        </Fact>
        <Fact label={t("fair.stake")}>
          <Money value={round.stake} currency={round.currency} />
        </Fact>
        <Fact label={t("fair.payout")}>
          <Money value={round.payout} currency={round.currency} className={tone} />{" "}
          <span className={tone}>{t(rolled?.won ? "fair.won" : "fair.lost")}</span>
        </Fact>
        <Fact label={t("fair.round_number")}>
          <CopyText label={t("fair.round_number")} value={round.id} short={shortNumber(round.id)} />
        </Fact>
        <Fact label={t("fair.nonce")}>
          <code className="inline-block py-2.5 font-mono text-sm">{round.nonce}</code>
        </Fact>
        <Fact label={t("fair.client_seed")} wide>
          <CopyText label={t("fair.client_seed")} value={round.seed.clientSeed} />
        </Fact>
      </dl>
    </section>
  );
}

type FactProps = { label: string; wide?: boolean; children: ReactNode };

function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={`grid min-w-0 content-start ${wide ? "col-span-2" : ""}`}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="flex min-h-9 min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </div>
  );
}
