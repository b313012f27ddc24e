import { useQuery } from "@tanstack/react-query";
import { useSumText } from "@/features/ledger/components/sum";
import { type Translate, useT } from "@/lib/i18n/i18n";
import { buttonClass } from "@/ui/button";
import { OfficeLink, useAddress, useChangeSearch } from "../address";
import { timeText } from "../clock";
import { DatesFilter } from "../dates-filter";
import { SelectField } from "../select-field";
import { type Column, DataTable } from "../table/data-table";
import { type MemberFile, type Round, memberRoundsQuery } from "./api";
import { pageSize, readRounds, roundsOf } from "./filter";

/** What the member played, newest first. */
export function RoundsTab({ member }: { member: MemberFile }) {
  const t = useT();
  const address = useAddress();
  const before = address["before"];
  const query = { ...roundsOf(address), limit: pageSize, ...(before && { before }) };
  const page = useQuery(memberRoundsQuery(member.id, query));
  const games = page.data?.games ?? [];
  return (
    <div className="grid gap-2">
      <RoundsFilter games={games} />
      <DataTable
        name="rounds"
        label={t("members.tab_rounds")}
        columns={useColumns(games, t)}
        rows={page.data?.content}
        keyOf={({ id }) => id}
        empty={t("members.rounds_none")}
        error={page.error}
        onRetry={() => void page.refetch()}
        isStale={page.isPlaceholderData}
        paging={<Paging id={member.id} next={page.data?.next ?? null} />}
      />
    </div>
  );
}

type Games = readonly { code: string; name: string }[];

function RoundsFilter({ games }: { games: Games }) {
  const t = useT();
  const filter = readRounds(useAddress());
  const change = useChangeSearch();
  const set = (part: Partial<typeof filter>) => change({ ...part, before: undefined });
  return (
    <search className="grid grid-cols-2 items-start gap-3 lg:max-w-3xl lg:grid-cols-3">
      <SelectField
        label={t("members.game")}
        value={filter.game}
        onChange={(game) => set({ game })}
        options={[
          { value: "", label: t("members.game_any") },
          ...games.map(({ code, name }) => ({ value: code, label: name })),
        ]}
      />
      <DatesFilter value={filter} onChange={set} />
    </search>
  );
}

function useColumns(games: Games, t: Translate): readonly Column<Round>[] {
  const sumText = useSumText();
  return [
    {
      id: "game",
      label: t("members.game"),
      isFixed: true,
      cell: ({ id, gameCode }) => (
        <OfficeLink
          to={`/rounds/${id}`}
          className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
        >
          <span data-name>{games.find(({ code }) => code === gameCode)?.name ?? gameCode}</span>
        </OfficeLink>
      ),
    },
    {
      id: "stake",
      label: t("members.stake"),
      cell: ({ stake, currency }) => <span className="figures">{sumText(stake, currency)}</span>,
    },
    {
      id: "payout",
      label: t("members.payout"),
      cell: ({ payout, currency }) => (
        <span className={`figures ${payout === "0" ? "" : "text-win"}`}>
          {sumText(payout, currency)}
        </span>
      ),
    },
    {
      id: "at",
      label: t("office.at"),
      cell: ({ playedAt }) => (
        <span className="whitespace-nowrap tabular-nums">{timeText(playedAt)}</span>
      ),
    },
    {
      id: "nonce",
      label: t("members.nonce"),
      isExtra: true,
      cell: ({ nonce }) => <span className="tabular-nums">{nonce}</span>,
    },
    {
      id: "id",
      label: t("members.round_id"),
      isExtra: true,
      cell: ({ id }) => <code className="font-mono text-xs wrap-anywhere">{id}</code>,
    },
  ];
}

function Paging({ id, next }: { id: string; next: string | null }) {
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
      {next && (
        <OfficeLink
          to={`/members/${id}`}
          search={{ ...address, before: next }}
          className={buttonClass("plain", "sm")}
        >
          {t("office.older")}
        </OfficeLink>
      )}
    </nav>
  );
}
