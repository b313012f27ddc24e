import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Translate, useLanguageTag, useT } from "@/lib/i18n/i18n";
import { formatMoney } from "@/lib/money/money";
import { buttonClass } from "@/ui/button";
import { OfficeLink, useAddress } from "../address";
import { type Column, DataTable } from "../table/data-table";
import { type OfficeGame, gamesQuery } from "./api";
import { gamesOf } from "./filter";
import { GameDialog } from "./game-dialog";
import { GamesFilter } from "./games-filter";

/** The games, and how the chosen site offers them. */
export function GamesTab() {
  const t = useT();
  const query = gamesOf(useAddress());
  const page = useQuery(gamesQuery(query));
  const [open, setOpen] = useState<string | null>(null);
  const merchants = page.data?.merchants ?? [];
  const merchant = merchants.find(({ id }) => id === query.merchantId);
  // Without a site they are the usual ones, which every currency has.
  const currency = (merchant ?? merchants[0])?.currency ?? "PHP";
  const game = page.data?.content.find(({ code }) => code === open);
  return (
    <>
      <GamesFilter merchants={merchants} />
      <DataTable
        name="games"
        label={t("offer.games")}
        columns={columnsOf(t, { hasOffer: merchant !== undefined, currency }, setOpen)}
        rows={page.data?.content}
        keyOf={({ code }) => code}
        empty={t("offer.none")}
        error={page.error}
        onRetry={() => void page.refetch()}
        isStale={page.isPlaceholderData}
        note={page.data && t("offer.count", page.data.total)}
        paging={<Paging now={page.data?.pageNum ?? 1} all={page.data?.totalPages ?? 1} />}
      />
      {game && <GameDialog game={game} merchant={merchant} onClose={() => setOpen(null)} />}
    </>
  );
}

function columnsOf(
  t: Translate,
  { hasOffer, currency }: { hasOffer: boolean; currency: string },
  onOpen: (code: string) => void,
): readonly Column<OfficeGame>[] {
  const columns: (Column<OfficeGame> | false)[] = [
    {
      id: "name",
      label: t("offer.game"),
      isFixed: true,
      cell: ({ code, name }) => (
        <button
          type="button"
          onClick={() => onOpen(code)}
          className="row-link inline-flex min-h-11 min-w-11 items-center text-left font-semibold underline-offset-4 hover:underline"
        >
          <span data-name>{name}</span>
        </button>
      ),
    },
    { id: "code", label: t("offer.code"), cell: ({ code }) => <code>{code}</code> },
    {
      id: "vendor",
      label: t("offer.vendor"),
      cell: ({ vassalage }) => <span data-name>{vassalage}</span>,
    },
    {
      id: "kind",
      label: t("offer.kind"),
      cell: ({ gameType, gameClassify }) => (
        <span data-name>{[gameType, ...gameClassify].join(" · ")}</span>
      ),
    },
    { id: "state", label: t("offer.state"), cell: (game) => <State game={game} /> },
    hasOffer && {
      id: "offer",
      label: t("offer.offered"),
      cell: ({ offer }) => t(offer?.visible === false ? "offer.hidden" : "offer.shown"),
    },
    {
      id: "position",
      label: t("offer.position"),
      cell: ({ value, offer }) => (
        <span className="tabular-nums">{offer?.position ?? value.position}</span>
      ),
    },
    {
      id: "limits",
      label: t("offer.limits"),
      cell: ({ limits, offer }) => (
        <Limits limits={offer?.limits[currency] ?? limits} currency={currency} />
      ),
    },
    {
      id: "return",
      label: t("offer.return"),
      isExtra: true,
      cell: ({ returnPercent }) => <span className="tabular-nums">{returnPercent || "–"}</span>,
    },
  ];
  return columns.filter((column) => column !== false);
}

function State({ game }: { game: OfficeGame }) {
  const t = useT();
  if (game.value.maintenance || game.vendorMaintenance) {
    return (
      <strong className="font-semibold text-live-text">
        {t(game.value.maintenance ? "offer.maintenance" : "offer.vendor_maintenance")}
      </strong>
    );
  }
  const marks = [game.value.isNew && t("offer.new"), game.value.isHot && t("offer.hot")].filter(
    Boolean,
  );
  return marks.length > 0 ? marks.join(" · ") : t("offer.open");
}

type LimitsProps = { limits: OfficeGame["limits"]; currency: string };

function Limits({ limits: { minStake, maxStake, maxPayout }, currency }: LimitsProps) {
  const tag = useLanguageTag();
  const money = (amount: string) => formatMoney(amount, currency, tag);
  const text = `${money(minStake)} – ${money(maxStake)} → ${money(maxPayout)}`;
  return (
    <span data-name className="tabular-nums md:whitespace-nowrap">
      {text}
    </span>
  );
}

function Paging({ now, all }: { now: number; all: number }) {
  const t = useT();
  const address = useAddress();
  return (
    <nav aria-label={t("office.paging")} className="flex gap-3 empty:hidden">
      {now > 1 && (
        <OfficeLink
          to="/games"
          search={{ ...address, page: now > 2 ? String(now - 1) : undefined }}
          className={buttonClass("plain", "sm")}
        >
          {t("offer.before")}
        </OfficeLink>
      )}
      {now < all && (
        <OfficeLink
          to="/games"
          search={{ ...address, page: String(now + 1) }}
          className={buttonClass("plain", "sm")}
        >
          {t("offer.next")}
        </OfficeLink>
      )}
    </nav>
  );
}
