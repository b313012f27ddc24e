import { useQuery } from "@tanstack/react-query";
import { useSumText } from "@/features/ledger/components/sum";
import { tell } from "@/features/ledger/model";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { hashOf } from "@/lib/ledger/transfer";
import { shortHash, shortNumber } from "@/lib/short";
import { buttonClass } from "@/ui/button";
import { CopyText } from "@/ui/copy-text";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";
import { OfficeLink, useAddress } from "../address";
import { timeText } from "../clock";
import { ListFault } from "../page-states";
import { Fact, Facts } from "../panel";
import { useMay } from "../session";
import { type TransferFile, transferQuery } from "./api";
import { accountText } from "./texts";

type TransferDialogProps = { memberId: string; seq: number; onClose: () => void };

/** Follows a cent: from where to where, what was there before and after, for what, and its place in the chain. */
export default function TransferDialog({ memberId, seq, onClose }: TransferDialogProps) {
  const t = useT();
  const { data, error, refetch } = useQuery(transferQuery(memberId, seq));
  return (
    <Dialog onClose={onClose} className="sheet">
      <div className="grid content-start gap-5 p-5">
        <DialogTitle>{t("members.transfer", seq)}</DialogTitle>
        {error && !data && <ListFault error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-64" />}
        {data && (
          <>
            <Movement file={data} />
            <Source file={data} />
            <Chain file={data} />
            <Neighbours file={data} />
          </>
        )}
      </div>
    </Dialog>
  );
}

const link = "inline-flex min-h-11 items-center justify-self-start underline underline-offset-4";

function Movement({ file }: { file: TransferFile }) {
  const t = useT();
  const sumText = useSumText();
  const { transfer: row } = file;
  const { sentence, args } = tell(row);
  const sides = [
    {
      label: t("members.from_account"),
      account: row.debit,
      before: file.debitBefore,
      after: row.debitAfter,
    },
    {
      label: t("members.to_account"),
      account: row.credit,
      before: file.creditBefore,
      after: row.creditAfter,
    },
  ];
  return (
    <section className="grid gap-3">
      <p>
        <span className="block font-semibold">{t(sentence, ...args)}</span>
        <span className="figures text-3xl">{sumText(row.amount, row.currency)}</span>
        <span className="block text-sm text-muted">{timeText(row.at)}</span>
      </p>
      <table className="w-full text-left">
        <caption className="sr-only">{t("members.sides")}</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th className="py-1 pr-3 font-normal" scope="col">
              {t("members.side")}
            </th>
            <th className="py-1 pr-3 text-right font-normal" scope="col">
              {t("members.before")}
            </th>
            <th className="py-1 text-right font-normal" scope="col">
              {t("members.after")}
            </th>
          </tr>
        </thead>
        <tbody>
          {sides.map(({ label, account, before, after }) => (
            <tr key={label} className="border-t border-line">
              <th className="py-2 pr-3 font-normal" scope="row">
                <span className="block text-sm text-muted">{label}</span>
                {accountText(account, t)}
              </th>
              <td className="figures py-2 pr-3 text-right">
                {before === null ? "–" : sumText(before, row.currency)}
              </td>
              <td className="figures py-2 text-right">
                {after === null ? "–" : sumText(after, row.currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-muted">{t("members.house_note")}</p>
    </section>
  );
}

/** What the transfer was for. */
function Source({ file }: { file: TransferFile }) {
  const t = useT();
  const sumText = useSumText();
  const address = useAddress();
  const maySeeRounds = useMay("rounds.read");
  const { transfer: row, approval, hold } = file;
  const to = `/members/${file.memberId}` as const;
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">{t("members.for_what")}</h3>
      <p>{sourceText(file, t)}</p>
      {file.about === "round" && maySeeRounds && (
        <OfficeLink to={`/rounds/${row.reference}`} className={link}>
          {t("members.to_round")}
        </OfficeLink>
      )}
      {approval && (
        <Facts>
          <Fact label={t("members.asked_by")}>
            <span data-name>{approval.askedBy}</span>
            <span className="block text-sm text-muted">{timeText(approval.askedAt)}</span>
          </Fact>
          <Fact label={t("office.reason")}>
            <span data-name>{approval.reason}</span>
          </Fact>
          <Fact label={t("members.agreed_by")}>
            <span data-name>{approval.decidedBy ?? "–"}</span>
            <span className="block text-sm text-muted">{timeText(approval.decidedAt)}</span>
          </Fact>
          <Fact label={t("office.reason")}>
            <span data-name>{approval.decisionReason ?? "–"}</span>
          </Fact>
        </Facts>
      )}
      {hold && (
        <Facts>
          <Fact label={t("members.hold_amount")}>{sumText(hold.amount, row.currency)}</Fact>
          <Fact label={t("members.hold_taken")}>
            {hold.captured === null ? t("members.hold_open") : sumText(hold.captured, row.currency)}
          </Fact>
        </Facts>
      )}
      {file.beside.map((other) => (
        <OfficeLink
          key={other.seq}
          to={to}
          search={{ ...address, transfer: String(other.seq) }}
          className={link}
        >
          {t("members.beside", other.seq, t(tell(other).sentence, ...tell(other).args))}
        </OfficeLink>
      ))}
      {row.reverses !== null && (
        <OfficeLink
          to={to}
          search={{ ...address, transfer: String(row.reverses) }}
          className={link}
        >
          {t("members.reverses", row.reverses)}
        </OfficeLink>
      )}
      {file.undoneBy !== null && (
        <OfficeLink
          to={to}
          search={{ ...address, transfer: String(file.undoneBy) }}
          className={link}
        >
          {t("members.undone_by", file.undoneBy)}
        </OfficeLink>
      )}
      <Facts>
        <Fact label={t("members.reference")}>
          <CopyText
            label={t("members.reference")}
            value={row.reference}
            short={shortNumber(row.reference)}
          />
        </Fact>
        <Fact label={t("members.key")}>
          <code className="font-mono text-[0.8125rem] wrap-anywhere">{row.key ?? "–"}</code>
        </Fact>
        <Fact label={t("members.transfer_id")}>
          <CopyText
            label={t("members.transfer_id")}
            value={`${file.memberId}:${row.seq}`}
            short={`${shortNumber(file.memberId)}:${row.seq}`}
          />
        </Fact>
      </Facts>
    </section>
  );
}

function sourceText({ about }: TransferFile, t: Translate): string {
  switch (about) {
    case "round":
      return t("members.about_round");
    case "correction":
      return t("members.about_correction");
    case "hold":
      return t("members.about_hold");
    case "gift":
      return t("members.about_gift");
    default:
      return t("members.about_other");
  }
}

/** The place in the member's chain. The browser computes the fingerprint by itself: a second witness. */
function Chain({ file }: { file: TransferFile }) {
  const t = useT();
  const { transfer: row, previousHash, memberId, merchantId, head } = file;
  const { data: own, isPending } = useQuery({
    queryKey: ["hash", memberId, row.seq, row.hash] as const,
    queryFn: () => hashOf(row, { holderId: memberId, merchantId }, previousHash),
  });
  const isGood = file.hashHolds && own === row.hash;
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="font-semibold">{t("members.chain")}</h3>
      <p>{t("members.chain_place", row.seq, head.seq)}</p>
      {!isPending && (
        <p role="status" className="flex items-start gap-2">
          <Icon
            name={isGood ? "check" : "alert"}
            className={`mt-0.5 size-5 shrink-0 ${isGood ? "text-win" : "text-live-text"}`}
          />
          {t(isGood ? "members.chain_good" : "members.chain_bad")}
        </p>
      )}
      <Facts>
        <Fact label={t("members.hash")}>
          <CopyText label={t("members.hash")} value={row.hash} short={shortHash(row.hash)} />
        </Fact>
        <Fact label={t("members.hash_before")}>
          <CopyText
            label={t("members.hash_before")}
            value={previousHash}
            short={shortHash(previousHash)}
          />
        </Fact>
      </Facts>
    </section>
  );
}

/** One step back in the chain, one step on. */
function Neighbours({ file }: { file: TransferFile }) {
  const t = useT();
  const address = useAddress();
  const { seq } = file.transfer;
  const to = `/members/${file.memberId}` as const;
  const look = buttonClass("plain", "sm");
  return (
    <nav aria-label={t("members.chain")} className="flex flex-wrap gap-3">
      {seq > 1 && (
        <OfficeLink to={to} search={{ ...address, transfer: String(seq - 1) }} className={look}>
          {t("members.earlier")}
        </OfficeLink>
      )}
      {seq < file.head.seq && (
        <OfficeLink to={to} search={{ ...address, transfer: String(seq + 1) }} className={look}>
          {t("members.later")}
        </OfficeLink>
      )}
    </nav>
  );
}
