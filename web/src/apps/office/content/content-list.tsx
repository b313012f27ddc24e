import type { ComponentProps } from "react";
import { useQuery } from "@tanstack/react-query";
import { type Translate, useLang, useT } from "@/lib/i18n/i18n";
import type { Lang } from "@/lib/i18n/languages";
import { clockText } from "@/lib/time";
import { buttonClass } from "@/ui/button";
import { OfficeLink, useAddress, useChangeSearch } from "../address";
import { timeText } from "../clock";
import { PageSkeleton } from "../page-states";
import { SelectField } from "../select-field";
import { useMay } from "../session";
import type { Settings } from "../settings/api";
import { type Column, DataTable } from "../table/data-table";
import { type ContentRow, contentQuery } from "./api";
import { titleOf } from "./draft";
import { type KindId, kinds } from "./kinds";
import { OrderButtons } from "./order-buttons";
import { freeSlots, placeText, placesOf, shownRows } from "./places";
import { StateWord } from "./state-word";

type ContentListProps = { settings: Settings; kind: KindId };

/** The pieces of a kind, as they stand on the site. */
export function ContentList({ settings, kind }: ContentListProps) {
  const t = useT();
  const lang = useLang();
  const mayWrite = useMay("content.write");
  const { title, text, isOrdered } = kinds[kind];
  const rows = useQuery(contentQuery(settings.id, kind));
  const sections = useQuery({
    ...contentQuery(settings.id, "help_section"),
    enabled: kind === "help_article",
  });
  const { place } = useAddress();
  // The ways to add and to choose depend on what there is: they come with it, so that nothing moves.
  if (rows.isPending || sections.isLoading) return <PageSkeleton />;
  const places = placesOf(kind, sections.data ?? [], lang, t);
  const shown = rows.data && shownRows(rows.data, kind, place, places);
  const { timeZone } = settings.merchant;
  return (
    <section aria-label={t(title)} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-64 grow basis-0">
          <h2 className="display text-lg">{t(title)}</h2>
          <p className="max-w-[60ch] text-sm text-muted">{t(text)}</p>
        </div>
        {mayWrite && rows.data && <AddLink kind={kind} rows={rows.data} />}
      </div>
      {!mayWrite && <p className="text-sm text-muted">{t("edit.read_only")}</p>}
      {places.length > 1 && <PlaceFilter kind={kind} places={places} />}
      <DataTable
        name={`content-${kind}`}
        label={t(title)}
        columns={[
          ...columnsOf(t, { kind, lang, places, timeZone }),
          ...(mayWrite && isOrdered && shown
            ? [orderColumn(t, { merchant: settings.id, kind, all: rows.data ?? [], shown })]
            : []),
        ]}
        rows={shown}
        keyOf={({ id }) => id}
        empty={t("edit.none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        note={t("edit.zone_note", timeZone)}
      />
    </section>
  );
}

type Places = ReturnType<typeof placesOf>;

function AddLink({ kind, rows }: { kind: KindId; rows: readonly ContentRow[] }) {
  const t = useT();
  const { merchant } = useAddress();
  // There is one of each, and each is there.
  if (kinds[kind].isOnePerSlot && freeSlots(kind, rows).length === 0) return null;
  return (
    <OfficeLink
      to="/content"
      search={{ merchant, kind, item: "new" }}
      className={buttonClass("main", "sm")}
    >
      {t(kinds[kind].add)}
    </OfficeLink>
  );
}

function PlaceFilter({ kind, places }: { kind: KindId; places: Places }) {
  const t = useT();
  const { place = "" } = useAddress();
  const change = useChangeSearch();
  return (
    <search className="grid max-w-xs">
      <SelectField
        label={t(kinds[kind].slotLabel)}
        value={places.some(({ value }) => value === place) ? place : ""}
        onChange={(value) => change({ place: value })}
        options={[{ value: "", label: t("edit.any_place") }, ...places]}
      />
    </search>
  );
}

type About = { kind: KindId; lang: Lang; places: Places; timeZone: string };

function columnsOf(
  t: Translate,
  { kind, lang, places, timeZone }: About,
): readonly Column<ContentRow>[] {
  const at = (moment: string | null | undefined) =>
    moment ? clockText(new Date(moment), timeZone) : "–";
  const columns: (Column<ContentRow> | false)[] = [
    {
      id: "title",
      label: t("edit.title"),
      isFixed: true,
      cell: (row) => <RowLink kind={kind} id={row.id} title={titleOf(row, lang)} />,
    },
    places.length > 0 && {
      id: "place",
      label: t(kinds[kind].slotLabel),
      cell: (row) => <span data-name>{placeText(kind, row, places)}</span>,
    },
    { id: "state", label: t("edit.state"), cell: ({ state }) => <StateWord state={state} /> },
    kinds[kind].isScheduled && {
      id: "from",
      label: t("edit.from"),
      cell: ({ startsAt }) => <Moment text={at(startsAt)} />,
    },
    kinds[kind].isScheduled && {
      id: "until",
      label: t("edit.until"),
      cell: ({ endsAt }) => <Moment text={at(endsAt)} />,
    },
    {
      id: "changed",
      label: t("edit.changed_at"),
      isExtra: kinds[kind].isScheduled,
      cell: ({ updatedAt }) => <Moment text={timeText(updatedAt)} />,
    },
    {
      id: "by",
      label: t("edit.changed_by"),
      isExtra: true,
      cell: ({ updatedBy }) => <span data-name>{updatedBy}</span>,
    },
  ];
  return columns.filter((column) => column !== false);
}

function Moment({ text }: { text: string }) {
  return <span className="whitespace-nowrap tabular-nums">{text}</span>;
}

function RowLink({ kind, id, title }: { kind: KindId; id: string; title: string }) {
  const { merchant } = useAddress();
  return (
    <OfficeLink
      to="/content"
      search={{ merchant, kind, item: id }}
      className="row-link inline-flex min-h-11 min-w-11 items-center font-semibold underline-offset-4 hover:underline"
    >
      <span data-name>{title}</span>
    </OfficeLink>
  );
}

type Ordered = Omit<ComponentProps<typeof OrderButtons>, "row">;

function orderColumn(t: Translate, ordered: Ordered): Column<ContentRow> {
  return {
    id: "order",
    label: t("office.order"),
    cell: (row) => <OrderButtons {...ordered} row={row} />,
  };
}
