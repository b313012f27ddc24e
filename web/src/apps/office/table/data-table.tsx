import type { ReactNode } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";
import { ListFault } from "../page-states";
import { isShown, useChoice } from "./choice";
import { ColumnMenu } from "./column-menu";
import { type Csv, CsvFile } from "./csv-file";
import { type Order, directionOf, nextOrder } from "./order";

export type Column<R> = {
  id: string;
  label: string;
  cell: (row: R) => ReactNode;
  /** Names the row and cannot be hidden. */
  isFixed?: boolean;
  /** Hidden until somebody asks for it. */
  isExtra?: boolean;
  /** Given where the list can be put into an order by this column. */
  compare?: (a: R, b: R) => number;
};

type DataTableProps<R> = {
  /** Under this name the choice of columns is kept. */
  name: string;
  label: string;
  columns: readonly Column<R>[];
  /** Undefined while they are loading. */
  rows: readonly R[] | undefined;
  keyOf: (row: R) => string;
  /** What is said where there are no rows. */
  empty: string;
  error?: unknown;
  onRetry?: () => void;
  /** Its cells are marks: on phones they stand side by side. */
  isDense?: boolean;
  /** Other rows are on their way; these are still shown. */
  isStale?: boolean;
  order?: Order | undefined;
  onOrder?: (order: Order) => void;
  /** A file of all rows, for those who may take it away. */
  csv?: Csv | false;
  /** Stands beside the choice of columns: how many rows there are, for example. */
  note?: ReactNode;
  /** Ways to other rows, below. */
  paging?: ReactNode;
};

/** The office's table. On phones each row is a card; columns are chosen, orders and files offered where they exist. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { rows, columns, error, onRetry } = props;
  const [choice, choose] = useChoice(props.name);
  const shown = columns.filter((column) => isShown(column, choice));
  if (error && !rows) return <ListFault error={error} onRetry={() => onRetry?.()} />;
  return (
    <div className="grid gap-2">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="grow text-sm text-muted max-md:basis-full">{props.note}</div>
        <OrderSelect {...props} />
        {props.csv && <CsvFile csv={props.csv} />}
        <ColumnMenu columns={columns} choice={choice} onChoose={choose} />
      </div>
      {rows ? (
        <Rows {...props} rows={rows} columns={shown} />
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
      {props.paging}
    </div>
  );
}

function Rows<R>(props: DataTableProps<R> & { rows: readonly R[] }) {
  const { rows, columns, label, keyOf, empty, isDense, isStale } = props;
  if (rows.length === 0) return <p className="border-y border-line py-6 text-muted">{empty}</p>;
  return (
    <table
      className="data-table"
      aria-label={label}
      aria-busy={isStale || undefined}
      data-dense={isDense || undefined}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} {...props} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => {
              const Cell = column.isFixed ? "th" : "td";
              return (
                <Cell
                  key={column.id}
                  scope={column.isFixed ? "row" : undefined}
                  data-label={column.label}
                >
                  {column.cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Ordered = { order?: Order | undefined; onOrder?: (order: Order) => void };

function HeadCell<R>({ column, order, onOrder }: Ordered & { column: Column<R> }) {
  if (!column.compare || !onOrder) return <th scope="col">{column.label}</th>;
  const direction = directionOf(order, column.id);
  return (
    <th scope="col" aria-sort={direction ?? "none"}>
      <button
        type="button"
        onClick={() => onOrder(nextOrder(order, column.id))}
        className="-mx-2 inline-flex min-h-11 min-w-11 items-center gap-1 px-2 hover:text-ink"
      >
        {column.label}
        <Icon
          name="down"
          className={`size-4 ${direction ? "text-accent-text" : "opacity-40"} ${direction === "ascending" ? "rotate-180" : ""}`}
        />
      </button>
    </th>
  );
}

/** On phones, where the heads of the columns are not seen. */
function OrderSelect<R>({ columns, order, onOrder }: Ordered & { columns: readonly Column<R>[] }) {
  const t = useT();
  const orders = columns.filter(({ compare }) => compare);
  if (!onOrder || orders.length === 0) return null;
  return (
    <select
      aria-label={t("office.order")}
      value={order ?? ""}
      onChange={(event) => onOrder(event.target.value)}
      className="select leaf min-h-11 border border-line-strong bg-canvas pl-3 text-sm md:hidden"
    >
      {orders.flatMap(({ id, label }) => [
        <option key={id} value={id}>
          {t("office.order_up", label)}
        </option>,
        <option key={`-${id}`} value={`-${id}`}>
          {t("office.order_down", label)}
        </option>,
      ])}
    </select>
  );
}
