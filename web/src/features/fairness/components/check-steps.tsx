import type { Check } from "@/lib/fair/check";
import type { Replay } from "@/lib/fair/games/games";
import { useT } from "@/lib/i18n/i18n";

import { BookList } from "./book-list";
import { DrawTable } from "./draw-table";
import { Fold, Formula, Line, Step } from "./steps";
import { Same } from "./verdict";

/** More blocks than this are folded away. */
const SHOWN_BLOCKS = 2;

/** Every step from the seeds to the payout, with the numbers of this round. */
export function CheckSteps({ check }: { check: Check }) {
  const t = useT();
  const { evidence, replay } = check;
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
      {replay === null ? <NotPlayable /> : <Worked check={check} replay={replay} />}
    </ol>
  );
}

/** Data that make no round of ours end the calculation. */
function NotPlayable() {
  const t = useT();
  return (
    <Step number={2} title={t("fair.step_rules")} text={t("fair.step_rules_text")}>
      <Same same={false} />
    </Step>
  );
}

function Worked({ check, replay }: { check: Check; replay: Replay }) {
  const t = useT();
  const { evidence } = check;
  const blocks = replay.blocks.map((block) => (
    <div key={block.index}>
      <Line label={t("fair.message")} value={block.message} />
      <Line label={t("fair.block", block.index)} value={block.hex} />
    </div>
  ));
  return (
    <>
      <Step number={2} title={t("fair.step_block")} text={t("fair.step_block_text")}>
        {blocks.slice(0, SHOWN_BLOCKS)}
        {blocks.length > SHOWN_BLOCKS && (
          <Fold label={t("fair.more_blocks", blocks.length - SHOWN_BLOCKS)}>
            {blocks.slice(SHOWN_BLOCKS)}
          </Fold>
        )}
      </Step>
      <Step number={3} title={t("fair.step_draws")} text={t("fair.step_draws_text")}>
        <DrawTable game={evidence.game} replay={replay} />
      </Step>
      <Step number={4} title={t("fair.step_book")} text={t("fair.step_book_text")}>
        <BookList
          events={replay.events}
          claimed={evidence.claim?.events ?? null}
          other={check.firstOther}
          context={evidence}
        />
        <Same same={check.sameEvents} />
      </Step>
      <Step number={5} title={t("fair.step_payout")} text={t("fair.step_payout_text")}>
        <Formula>{payoutLine(replay, evidence.stake, t("fair.still_open"))}</Formula>
        {check.samePayout === false && evidence.claim && (
          <p>{t("fair.claimed_payout", evidence.claim.payout ?? "–")}</p>
        )}
        <Same same={check.samePayout} />
      </Step>
    </>
  );
}

function payoutLine({ events, payout }: Replay, stake: string, open: string): string {
  const multiplier = events.findLast(({ type }) => type === "payout")?.["multiplier"];
  if (payout === null || typeof multiplier !== "string") return open;
  return `${stake} × ${multiplier} → ${payout}`;
}
