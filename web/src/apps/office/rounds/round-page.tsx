import { useQuery } from "@tanstack/react-query";
import { useSumText } from "@/features/ledger/components/sum";
import { tell } from "@/features/ledger/model";
import { BookList } from "@/features/fairness/components/book-list";
import { hasWon, isOpen } from "@/features/fairness/shown";
import { type Check, checkEvidence } from "@/lib/fair/check";
import { evidenceOf } from "@/lib/fair/evidence";
import { tellActions, tellChoice } from "@/lib/fair/told/choice";
import { say } from "@/lib/fair/told/said";
import { summaryOf } from "@/lib/fair/told/summary";
import { useT } from "@/lib/i18n/i18n";
import { CopyText } from "@/ui/copy-text";
import { Icon } from "@/ui/icon";
import { OfficeLink, useFileId } from "../address";
import { timeText } from "../clock";
import { type RoundFile, type Transfer, roundQuery } from "../members/api";
import { ListFault, PageSkeleton } from "../page-states";
import { Fact, Facts, Panel } from "../panel";
import { useMay } from "../session";

/** One round: what was staked and paid, what decided it, and the money that moved. */
export default function RoundPage() {
  const id = useFileId();
  const { data, error, refetch } = useQuery(roundQuery(id));
  if (!data) {
    return error ? <ListFault error={error} onRetry={() => void refetch()} /> : <PageSkeleton />;
  }
  return <RoundView file={data} />;
}

function RoundView({ file }: { file: RoundFile }) {
  const check = useCheck(file);
  return (
    <>
      <Head file={file} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Outcome file={file} />
        <Fairness file={file} check={check} />
        <Happened file={file} check={check} />
        {file.transfers && <Moved file={file} transfers={file.transfers} />}
      </div>
    </>
  );
}

const link = "inline-flex min-h-11 min-w-11 items-center gap-2 underline underline-offset-4";

function Head({ file }: { file: RoundFile }) {
  const t = useT();
  const maySeeMembers = useMay("members.read");
  const { round, account, memberId } = file;
  return (
    <header className="grid gap-2 pb-4">
      {maySeeMembers && account && (
        <OfficeLink
          to={`/members/${memberId}`}
          search={{ tab: "rounds" }}
          className="inline-flex min-h-11 items-center gap-2 justify-self-start text-sm text-muted hover:text-ink"
        >
          <Icon name="right" className="size-4 rotate-180" />
          {t("members.rounds_of", account)}
        </OfficeLink>
      )}
      <h1 className="display text-2xl">{t("members.round_title", file.gameName)}</h1>
      <div className="justify-self-start">
        <CopyText label={t("members.round_id")} value={round.id} />
      </div>
    </header>
  );
}

function Outcome({ file }: { file: RoundFile }) {
  const t = useT();
  const sumText = useSumText();
  const { round } = file;
  const choice = tellChoice(round.gameCode, round.choice);
  const actions = tellActions(round.actions);
  return (
    <Panel title={t("members.outcome")}>
      <Facts>
        <Fact label={t("office.member")}>
          <span data-name>{file.account ?? t("members.gone")}</span>
        </Fact>
        <Fact label={t("office.at")}>{timeText(round.playedAt)}</Fact>
        <Fact label={t("members.stake")}>
          <span className="figures">{sumText(round.stake, round.currency)}</span>
        </Fact>
        <Fact label={t("members.payout")}>
          <span className={`figures ${hasWon(round) ? "text-win" : ""}`}>
            {isOpen(round) ? t("fair.still_open") : sumText(round.payout, round.currency)}
          </span>
        </Fact>
        {choice && <Fact label={t("members.choice")}>{say(t, choice)}</Fact>}
        {actions.length > 0 && (
          <Fact label={t("fair.done")}>{actions.map((one) => say(t, one)).join(" · ")}</Fact>
        )}
        {round.jackpot !== null && (
          <Fact label={t("fair.jackpot")}>
            <span className="figures text-win">{sumText(round.jackpot, round.currency)}</span>
          </Fact>
        )}
        <Fact label={t("fair.outcome")}>{say(t, summaryOf(round))}</Fact>
      </Facts>
    </Panel>
  );
}

/** What happened in the round, event by event; where a replay differs, it says so there. */
function Happened({ file, check }: { file: RoundFile; check: Check | null | undefined }) {
  const t = useT();
  const { round } = file;
  const context = { game: round.gameCode, choice: round.choice };
  const other = check?.replay ? check.firstOther : null;
  return (
    <Panel title={t("fair.events")}>
      <BookList
        events={check?.replay?.events ?? round.book}
        claimed={round.book}
        other={other}
        context={context}
      />
    </Panel>
  );
}

/** Works the round out again, once its seed is revealed. */
function useCheck({ round }: RoundFile): Check | null | undefined {
  const evidence = evidenceOf(round);
  const { data } = useQuery({
    queryKey: ["round-check", round.id, round.seed.serverSeed] as const,
    enabled: evidence !== null,
    queryFn: () => (evidence ? checkEvidence(evidence) : null),
  });
  return data;
}

/** What decided the round. A seed that is in use is shown to nobody. */
function Fairness({ file, check }: { file: RoundFile; check: Check | null | undefined }) {
  const t = useT();
  const { seed, nonce, id } = file.round;
  return (
    <Panel title={t("members.fairness")}>
      <Facts>
        <Fact label={t("members.client_seed")}>
          <CopyText label={t("members.client_seed")} value={seed.clientSeed} />
        </Fact>
        <Fact label={t("members.nonce")}>{nonce}</Fact>
        <Fact label={t("members.commitment")}>
          <CopyText label={t("members.commitment")} value={seed.commitment} />
        </Fact>
        <Fact label={t("members.server_seed")}>
          {seed.serverSeed ? (
            <CopyText label={t("members.server_seed")} value={seed.serverSeed} />
          ) : (
            t("members.seed_in_use")
          )}
        </Fact>
        <Fact label={t("members.verify_at")}>
          <CopyText label={t("members.verify_at")} value={`/verify/${id}`} />
        </Fact>
      </Facts>
      {check && (
        <p role="status" className="flex items-start gap-2">
          <Icon
            name={check.verdict === "good" ? "check" : "alert"}
            className={`mt-0.5 size-5 shrink-0 ${check.verdict === "good" ? "text-win" : "text-live-text"}`}
          />
          {t(check.verdict === "good" ? "members.round_good" : "members.round_bad")}
        </p>
      )}
    </Panel>
  );
}

function Moved({ file, transfers }: { file: RoundFile; transfers: readonly Transfer[] }) {
  const t = useT();
  const sumText = useSumText();
  return (
    <Panel title={t("members.moved")}>
      <ul>
        {transfers.map((row) => {
          const { sentence, args, way, after } = tell(row);
          const amount = sumText(row.amount, row.currency);
          return (
            <li
              key={row.seq}
              className="flex flex-wrap items-center gap-x-4 border-line not-last:border-b"
            >
              <OfficeLink
                to={`/members/${file.memberId}`}
                search={{ tab: "wallet", transfer: String(row.seq) }}
                className={`${link} grow`}
              >
                {t("members.transfer_line", row.seq, t(sentence, ...args))}
              </OfficeLink>
              <span className={`figures ${way === "in" ? "text-win" : ""}`}>
                {t(way === "in" ? "ledger.amount_in" : "ledger.amount_out", amount)}
              </span>
              {after !== null && (
                <span className="figures text-sm text-muted">
                  {t("ledger.after", sumText(after, row.currency))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
