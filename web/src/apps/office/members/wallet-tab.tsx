import { useQuery } from "@tanstack/react-query";
import { Suspense, lazy } from "react";
import { useSumText } from "@/features/ledger/components/sum";
import { tell } from "@/features/ledger/model";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { buttonClass } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { OfficeLink, useAddress, useGo } from "../address";
import { timeText } from "../clock";
import { ListFault } from "../page-states";
import { type Column, DataTable } from "../table/data-table";
import {
  type MemberFile,
  type MemberWallet,
  type Transfer,
  fileOf,
  recordQuery,
  walletQuery,
} from "./api";
import { numberIn, pageSize, recordOf } from "./filter";
import { RecordFilter } from "./record-filter";
import { accountText } from "./texts";

const TransferDialog = lazy(() => loadPart(() => import("./transfer-dialog")));

/** What is on the accounts, and every movement behind it. */
export function WalletTab({ member }: { member: MemberFile }) {
  const t = useT();
  const go = useGo();
  const address = useAddress();
  const wanted = recordOf(address);
  const before = numberIn(address, "before");
  const seq = numberIn(address, "transfer");
  const wallet = useQuery(walletQuery(member.id));
  const query = { ...wanted, limit: pageSize, ...(before !== undefined && { before }) };
  const page = useQuery(recordQuery(member.id, query));
  return (
    <div className="grid gap-5">
      {wallet.data && <Accounts wallet={wallet.data} />}
      {wallet.error && !wallet.data && (
        <ListFault error={wallet.error} onRetry={() => void wallet.refetch()} />
      )}
      {!wallet.data && !wallet.error && <Skeleton className="h-12" />}
      <section className="grid gap-2" aria-label={t("members.record")}>
        <RecordFilter path={`/members/${member.id}`} />
        <DataTable
          name="record"
          label={t("members.record")}
          columns={useColumns(member.id, t)}
          rows={page.data?.content}
          keyOf={(row) => String(row.seq)}
          empty={t(page.data?.next ? "members.record_further" : "members.record_none")}
          error={page.error}
          onRetry={() => void page.refetch()}
          isStale={page.isPlaceholderData}
          csv={fileOf(`/office/api/members/${member.id}/transfers/export`, wanted)}
          note={t("members.record_csv")}
          paging={<Paging id={member.id} next={page.data?.next ?? null} />}
        />
      </section>
      {seq !== undefined && (
        <Suspense fallback={null}>
          <TransferDialog
            memberId={member.id}
            seq={seq}
            onClose={() => go(`/members/${member.id}`, { ...address, transfer: undefined })}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Every account with something on it, and the balance in any case. */
function Accounts({ wallet }: { wallet: MemberWallet }) {
  const t = useT();
  const sumText = useSumText();
  const shown = wallet.accounts.filter(
    ({ account, balance }) => balance !== "0" || ["main", "held"].includes(account),
  );
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {shown.map(({ account, currency, balance }) => (
        <div key={account}>
          <dt className="text-sm text-muted">{accountText(account, t)}</dt>
          <dd className="figures text-2xl">{sumText(balance, currency)}</dd>
        </div>
      ))}
      <div>
        <dt className="text-sm text-muted">{t("members.record_length")}</dt>
        <dd className="figures text-2xl">{wallet.head.seq}</dd>
      </div>
    </dl>
  );
}

function useColumns(id: string, t: Translate): readonly Column<Transfer>[] {
  const address = useAddress();
  const sumText = useSumText();
  return [
    {
      id: "reason",
      label: t("members.reason"),
      isFixed: true,
      cell: (row) => {
        const { sentence, args } = tell(row);
        return (
          <OfficeLink
            to={`/members/${id}`}
            search={{ ...address, transfer: String(row.seq) }}
            className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
          >
            {t(sentence, ...args)}
          </OfficeLink>
        );
      },
    },
    {
      id: "amount",
      label: t("members.amount"),
      cell: (row) => {
        const { way } = tell(row);
        const amount = sumText(row.amount, row.currency);
        return (
          <span className={`figures whitespace-nowrap ${way === "in" ? "text-win" : ""}`}>
            {t(way === "in" ? "ledger.amount_in" : "ledger.amount_out", amount)}
          </span>
        );
      },
    },
    {
      id: "after",
      label: t("members.after"),
      cell: (row) => {
        const { after } = tell(row);
        return (
          <span className="figures whitespace-nowrap">
            {after === null ? "–" : sumText(after, row.currency)}
          </span>
        );
      },
    },
    { id: "from", label: t("members.from_account"), cell: (row) => accountText(row.debit, t) },
    { id: "to", label: t("members.to_account"), cell: (row) => accountText(row.credit, t) },
    {
      id: "at",
      label: t("office.at"),
      cell: ({ at }) => <span className="whitespace-nowrap tabular-nums">{timeText(at)}</span>,
    },
    {
      id: "seq",
      label: t("members.seq"),
      cell: ({ seq }) => <span className="tabular-nums">{seq}</span>,
    },
    {
      id: "reference",
      label: t("members.reference"),
      isExtra: true,
      cell: ({ reference }) => <code className="font-mono text-xs wrap-anywhere">{reference}</code>,
    },
    {
      id: "key",
      label: t("members.key"),
      isExtra: true,
      cell: ({ key }) => <code className="font-mono text-xs wrap-anywhere">{key ?? "–"}</code>,
    },
  ];
}

function Paging({ id, next }: { id: string; next: number | null }) {
  const t = useT();
  const address = useAddress();
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {address["before"] && (
        <OfficeLink
          to={`/members/${id}`}
          search={{ ...address, before: undefined }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.latest")}
        </OfficeLink>
      )}
      {next !== null && (
        <OfficeLink
          to={`/members/${id}`}
          search={{ ...address, before: String(next) }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.older")}
        </OfficeLink>
      )}
    </nav>
  );
}
