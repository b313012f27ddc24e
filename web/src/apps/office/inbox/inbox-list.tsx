import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { type OfficePath, useAddress, useGo } from "../address";
import { zone } from "../clock";
import { Older } from "../older";
import { PageHead } from "../panel";
import { type Column, DataTable } from "../table/data-table";
import { pageSize } from "./filter";
import { StateFilter } from "./parts";

type InboxListProps<Row> = {
  path: OfficePath;
  title: Key;
  states: readonly string[];
  columns: readonly Column<Row>[];
  rows: UseQueryResult<Row[]>;
  /** The one that the address names, opened. */
  children: (row: Row, close: () => void) => ReactNode;
};

/** What was sent to the house, by what became of it. */
export function InboxList<Row extends { id: string }>(props: InboxListProps<Row>) {
  const { path, title, states, columns, rows, children } = props;
  const t = useT();
  const go = useGo();
  const address = useAddress();
  const last = rows.data?.length === pageSize ? rows.data.at(-1)?.id : undefined;
  const chosen = rows.data?.find(({ id }) => id === address["item"]);
  return (
    <>
      <PageHead title={t(title)} />
      <StateFilter states={states} />
      <DataTable
        name={path.slice(1)}
        label={t(title)}
        columns={columns}
        rows={rows.data}
        keyOf={({ id }) => id}
        empty={t("letters.none")}
        error={rows.error}
        onRetry={() => void rows.refetch()}
        isStale={rows.isPlaceholderData}
        note={t("office.trail_zone", zone)}
        paging={<Older path={path} last={last} />}
      />
      {chosen && children(chosen, () => go(path, { ...address, item: undefined }))}
    </>
  );
}
