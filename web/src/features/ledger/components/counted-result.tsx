import type { ReactNode } from "react";

import { type Key, useLanguageTag, useT } from "@/lib/i18n/i18n";
import type { ProofStep, TreeNode } from "@/lib/ledger/inclusion";
import { formatDecimal } from "@/lib/money/money";
import { CopyText } from "@/ui/copy-text";

import type { Counted } from "../counted";
import { dayText } from "../model";
import { ResultBox } from "./result-box";
import { useSumText } from "./sum";

type Wrong = Extract<Counted, { ok: false }>;

const faults: Readonly<Record<Wrong["what"], Key>> = {
  form: "proof.bad_form",
  root: "proof.bad_root",
  total: "proof.bad_total",
  public: "proof.bad_public",
  holder: "proof.bad_holder",
};

/** The outcome in words, and every step on the way to the root. */
export function CountedResult({ counted }: { counted: Counted }) {
  const t = useT();
  const tag = useLanguageTag();
  const sumText = useSumText();
  const { balance, total, currency, day, leaves } = counted.proof;
  return (
    <>
      {counted.ok ? (
        <ResultBox tone="good" title={t("proof.good")}>
          <p>
            {t(
              "proof.good_text",
              sumText(balance, currency),
              sumText(total, currency),
              dayText(day),
              formatDecimal(String(leaves), tag),
            )}
          </p>
        </ResultBox>
      ) : (
        <ResultBox tone="bad" title={t("proof.bad")}>
          <p className="font-semibold">{t(faults[counted.what])}</p>
          <p>{t("proof.bad_text")}</p>
        </ResultBox>
      )}
      <details open={!counted.ok}>
        <summary className="min-h-11 w-fit content-center font-semibold underline underline-offset-4">
          {t("proof.steps")}
        </summary>
        <Way counted={counted} />
      </details>
    </>
  );
}

function Way({ counted: { proof, nodes } }: { counted: Counted }) {
  const t = useT();
  const sumText = useSumText();
  const [leaf, ...rest] = nodes;
  return (
    <ol className="grid max-w-3xl gap-5 pt-3">
      {leaf && (
        <Step title={t("proof.step_own")}>
          <Fact label={t("proof.balance")}>{sumText(leaf.sum, proof.currency)}</Fact>
          <Fact label={t("proof.salt")}>
            <CopyText label={t("proof.salt")} value={proof.salt} />
          </Fact>
          <Result node={leaf} />
        </Step>
      )}
      {rest.map((node, index) => (
        <Joined
          key={node.hash}
          node={node}
          neighbour={proof.steps[index]}
          currency={proof.currency}
        />
      ))}
      <Step title={t("proof.step_root")}>
        <Fact label={t("proof.root")}>
          <CopyText label={t("proof.root")} value={proof.root} />
        </Fact>
        <Fact label={t("proof.total")}>{sumText(proof.total, proof.currency)}</Fact>
      </Step>
    </ol>
  );
}

type JoinedProps = { node: TreeNode; neighbour: ProofStep | undefined; currency: string };

function Joined({ node, neighbour, currency }: JoinedProps) {
  const t = useT();
  const sumText = useSumText();
  if (!neighbour) return null;
  return (
    <Step title={t(neighbour.side === "left" ? "proof.step_left" : "proof.step_right")}>
      <Fact label={t("proof.neighbour")}>
        <CopyText label={t("proof.neighbour")} value={neighbour.hash} />
      </Fact>
      <Fact label={t("proof.neighbour_sum")}>{sumText(neighbour.sum, currency)}</Fact>
      <Result node={node} />
      <Fact label={t("proof.sum")}>{sumText(node.sum, currency)}</Fact>
    </Step>
  );
}

function Result({ node }: { node: TreeNode }) {
  const t = useT();
  return (
    <Fact label={t("proof.result")}>
      <CopyText label={t("proof.result")} value={node.hash} />
    </Fact>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid min-w-0 gap-1 border-l border-line-strong pl-4">
      <h3 className="font-semibold">{title}</h3>
      <dl className="grid min-w-0">{children}</dl>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-3">
      <dt className="text-sm text-muted sm:py-2.5">{label}</dt>
      <dd className="min-w-0 content-center">{children}</dd>
    </div>
  );
}
