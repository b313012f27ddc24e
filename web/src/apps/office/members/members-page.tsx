import { useQuery } from "@tanstack/react-query";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { OfficeLink, useAddress, useChangeSearch, useGo } from "../address";
import { timeText } from "../clock";
import { PageHead } from "../panel";
import { type Column, DataTable } from "../table/data-table";
import { type ListedMember, membersQuery, takeMembers } from "./api";
import { hasOrder, membersOf, pageSize } from "./filter";
import { MembersFilter } from "./members-filter";
import { kindText, stateLook, stateText } from "./texts";

/** Finds members. */
export default function MembersPage() {
  const t = useT();
  const address = useAddress();
  const change = useChangeSearch();
  const wanted = membersOf(address);
  const after = address["after"];
  const page = useQuery(membersQuery({ ...wanted, limit: pageSize, ...(after && { after }) }));
  const merchants = page.data?.merchants ?? [];
  return (
    <>
      <PageHead title={t("office.members")} />
      <MembersFilter merchants={merchants} />
      <DataTable
        name="members"
        label={t("office.members")}
        columns={columnsOf(t, merchants.length > 1)}
        rows={page.data?.content}
        keyOf={({ id }) => id}
        empty={t("members.none")}
        error={page.error}
        onRetry={() => void page.refetch()}
        isStale={page.isPlaceholderData}
        order={address["order"] ?? "-registered"}
        {...(hasOrder(address) && {
          onOrder: (order: string) => change({ order, after: undefined }),
        })}
        csv={() => takeMembers(wanted)}
        note={t("members.csv_most")}
        paging={<Paging next={page.data?.next ?? null} />}
      />
    </>
  );
}

function columnsOf(t: Translate, hasMerchants: boolean): readonly Column<ListedMember>[] {
  const columns: (Column<ListedMember> | false)[] = [
    {
      id: "account",
      label: t("members.username"),
      isFixed: true,
      cell: ({ id, account }) => (
        <OfficeLink
          to={`/members/${id}`}
          className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          <span data-name>{account}</span>
        </OfficeLink>
      ),
    },
    hasMerchants && {
      id: "merchant",
      label: t("members.merchant"),
      cell: ({ merchant }) => <span data-name>{merchant}</span>,
    },
    {
      id: "mobile",
      label: t("members.mobile"),
      cell: ({ mobile, isMobileVerified }) => (
        <Contact text={mobile} isVerified={isMobileVerified} t={t} />
      ),
    },
    {
      id: "email",
      label: t("members.email"),
      cell: ({ email, isEmailVerified }) => (
        <Contact text={email} isVerified={isEmailVerified} t={t} />
      ),
    },
    {
      id: "name",
      label: t("members.real_name"),
      cell: ({ payeeName }) => <span data-name>{payeeName ?? "–"}</span>,
    },
    {
      id: "state",
      label: t("members.state"),
      cell: ({ state }) => <span className={stateLook(state)}>{stateText(state, t)}</span>,
    },
    {
      id: "registered",
      label: t("members.registered"),
      // The server puts them into order.
      compare: () => 0,
      cell: ({ registeredAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(registeredAt)}</span>
      ),
    },
    { id: "kind", label: t("members.kind"), isExtra: true, cell: ({ type }) => kindText(type, t) },
    {
      id: "nickname",
      label: t("members.nickname"),
      isExtra: true,
      cell: ({ nickname }) => <span data-name>{nickname}</span>,
    },
    {
      id: "id",
      label: t("members.id"),
      isExtra: true,
      cell: ({ id }) => <code className="font-mono text-xs wrap-anywhere">{id}</code>,
    },
  ];
  return columns.filter((column) => column !== false);
}

type ContactProps = { text: string | null | undefined; isVerified: boolean; t: Translate };

function Contact({ text, isVerified, t }: ContactProps) {
  if (!text) return "–";
  return (
    <span className="wrap-anywhere">
      <span data-name>{text}</span>
      {!isVerified && <span className="ml-2 text-sm text-muted">{t("members.unverified")}</span>}
    </span>
  );
}

/** Towards the next page, and back to the first. No address says where a page begins. */
function Paging({ next }: { next: string | null }) {
  const t = useT();
  const go = useGo();
  const address = useAddress();
  const open = (after: string | undefined) => go("/members", { ...address, after });
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {address["after"] && (
        <Button size="sm" onClick={() => open(undefined)}>
          {t("members.first_page")}
        </Button>
      )}
      {next && (
        <Button size="sm" onClick={() => open(next)}>
          {t("members.next_page")}
        </Button>
      )}
    </nav>
  );
}
