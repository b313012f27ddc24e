import { type Key, useT } from "@/lib/i18n/i18n";
import { shortHash } from "@/lib/short";
import { CopyText } from "@/ui/copy-text";

import type { Judgement } from "../record";
import { ResultBox } from "./result-box";
import { useSumText } from "./sum";

type Good = Extract<Judgement, { kind: "good" }>;
type Bad = Extract<Judgement, { kind: "bad" }>;

const faults: Readonly<Record<Bad["what"], Key>> = {
  form: "ledger.bad_form",
  gap: "ledger.bad_gap",
  hash: "ledger.bad_hash",
  balance: "ledger.bad_balance",
  negative: "ledger.bad_negative",
  account: "ledger.bad_account",
  head: "ledger.bad_head",
  kept: "ledger.bad_kept",
};

/** What a check of the record has proven, or which entry is wrong. */
export function CheckResult({ judgement }: { judgement: Judgement }) {
  const t = useT();
  const sumText = useSumText();
  switch (judgement.kind) {
    case "good":
      return <Whole result={judgement} />;
    case "empty":
      return (
        <ResultBox tone="open" title={t("ledger.nothing")}>
          <p>{t("ledger.nothing_text")}</p>
        </ResultBox>
      );
    case "bad":
      return <Wrong text={t(faults[judgement.what], judgement.seq)} />;
    case "shown": {
      const { computed, shown } = judgement;
      const [found, stated] = [computed, shown.balance].map((sum) => sumText(sum, shown.currency));
      return <Wrong text={t("ledger.bad_shown", found ?? "", stated ?? "")} />;
    }
  }
}

function Whole({ result }: { result: Good }) {
  const t = useT();
  const sumText = useSumText();
  const { head, balance, keptUpTo } = result;
  return (
    <ResultBox tone="good" title={t("ledger.good")}>
      <p>{t("ledger.good_text", head.seq, sumText(balance.balance, balance.currency))}</p>
      <p className="text-muted">
        {keptUpTo === null ? t("ledger.good_first") : t("ledger.good_kept", keptUpTo)}
      </p>
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="text-sm text-muted">{t("ledger.head")}</span>
        <CopyText label={t("ledger.head")} value={head.hash} short={shortHash(head.hash)} />
      </div>
    </ResultBox>
  );
}

function Wrong({ text }: { text: string }) {
  const t = useT();
  return (
    <ResultBox tone="bad" title={t("ledger.bad")}>
      <p className="font-semibold">{text}</p>
      <p>{t("ledger.bad_text")}</p>
    </ResultBox>
  );
}
