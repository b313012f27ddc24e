import type { ReactNode } from "react";

import { multiplierText, rollText } from "@/lib/fair/dice";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatDecimal } from "@/lib/money/money";
import { CopyText } from "@/ui/copy-text";

import { type Check, WORD_LIMIT } from "../model";
import { Same } from "./verdict";

/** Every step from the seeds to the payout, with the numbers of this round. */
export function CheckSteps({ check }: { check: Check }) {
  const t = useT();
  const { evidence } = check;
  return (
    <ol className="grid gap-6 border-l border-line-strong">
      <Step number={1} title={t("fair.step_promise")} text={t("fair.step_promise_text")}>
        <Line label={t("fair.server_seed")} value={evidence.serverSeed} />
        <Line label={t("fair.computed_commitment")} value={check.commitment} />
        {evidence.commitment !== null && (
          <Line label={t("fair.commitment")} value={evidence.commitment} />
        )}
        <Same same={check.sameCommitment} />
      </Step>
      <Step number={2} title={t("fair.step_block")} text={t("fair.step_block_text")}>
        {check.blocks.map((block) => (
          <div key={block.index}>
            <Line label={t("fair.message")} value={block.message} />
            <Line label={t("fair.block", block.index)} value={block.hex} />
          </div>
        ))}
      </Step>
      <Step number={3} title={t("fair.step_words")} text={t("fair.step_words_text", WORD_LIMIT)}>
        <Words check={check} />
      </Step>
      <Step number={4} title={t("fair.step_roll")} text={t("fair.step_roll_text")}>
        <Formula>{`${check.taken.at(-1)?.word} mod 10000 = ${check.roll} → ${rollText(check.roll)}`}</Formula>
        <Same same={check.sameRoll} />
      </Step>
      <Step number={5} title={t("fair.step_payout")} text={t("fair.step_payout_text", check.count)}>
        <PayoutLines check={check} />
        <Same same={check.samePayout} />
      </Step>
    </ol>
  );
}

function PayoutLines({ check }: { check: Check }) {
  const t = useT();
  const tag = useLanguageTag();
  const { choice, stake } = check.evidence;
  const sign = choice.direction === "under" ? "<" : ">";
  return (
    <>
      <Formula>{`${rollText(check.roll)} ${sign} ${rollText(choice.target)} ? ${t(check.won ? "fair.yes" : "fair.no")}`}</Formula>
      <Formula>
        {check.won
          ? `floor(${stake} × 9900 ÷ ${check.count}) = ${check.payout} (${formatDecimal(multiplierText(choice), tag, 2)}×)`
          : t("fair.pays_nothing")}
      </Formula>
    </>
  );
}

function Words({ check }: { check: Check }) {
  const t = useT();
  const words = check.blocks.flatMap((block) => block.words);
  return (
    <ul className="flex flex-wrap gap-2">
      {words.map((word, index) => {
        const taken = check.taken[index];
        const state = taken ? (taken.accepted ? "used" : "thrown") : "left";
        const look = {
          used: "border-win font-bold text-win",
          thrown: "border-live text-live-text line-through",
          left: "border-line text-muted",
        }[state];
        return (
          <li
            key={`${index}-${word}`}
            className={`leaf border px-3 py-1 font-mono text-sm ${look}`}
          >
            {word}
            {state === "used" && (
              <span className="ml-2 font-sans text-sm">{t("fair.word_used")}</span>
            )}
            {state === "thrown" && (
              <span className="ml-2 font-sans text-sm">{t("fair.word_thrown")}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type StepProps = { number: number; title: string; text: string; children: ReactNode };

function Step({ number, title, text, children }: StepProps) {
  return (
    <li className="grid min-w-0 gap-2 pl-5">
      <h3 className="flex items-baseline gap-3 text-lg font-semibold">
        <span className="figures -ml-[2.1rem] grid size-7 shrink-0 place-items-center rounded-xs bg-ink text-canvas">
          {number}
        </span>
        {title}
      </h3>
      <p className="max-w-[68ch] text-muted">{text}</p>
      {children}
    </li>
  );
}

export function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="grid sm:grid-cols-[10rem_1fr] sm:items-start sm:gap-3">
      <span className="pt-2.5 text-sm text-muted">{label}</span>
      <CopyText label={label} value={value} />
    </div>
  );
}

export function Formula({ children }: { children: ReactNode }) {
  return (
    <p className="leaf w-fit max-w-full border border-line bg-surface px-4 py-2 font-mono text-sm wrap-anywhere">
      {children}
    </p>
  );
}
