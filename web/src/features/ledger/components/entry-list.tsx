import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

import { transfersQuery } from "../api";
import { EntryRow } from "./entry-row";
import { LoadFault } from "./panel";

/** The member's transfers, newest first. */
export function EntryList() {
  const t = useT();
  const transfers = useInfiniteQuery(transfersQuery);
  const rows = transfers.data?.pages.flatMap((page) => page.content);
  return (
    <section aria-labelledby="entries" className="grid min-w-0 content-start gap-3">
      <h2 id="entries" className="display text-xl">
        {t("ledger.entries")}
      </h2>
      {transfers.isPending && <Skeleton className="h-96" />}
      {transfers.isError && (
        <LoadFault
          text={errorText(transfers.error, t)}
          onRetry={() => void (rows ? transfers.fetchNextPage() : transfers.refetch())}
        />
      )}
      {rows?.length === 0 && <Empty />}
      {rows && rows.length > 0 && (
        <ul className="grid divide-y divide-line border-y border-line">
          {rows.map((row) => (
            <EntryRow key={row.seq} row={row} />
          ))}
        </ul>
      )}
      {transfers.hasNextPage && !transfers.isError && (
        <Button
          className="justify-self-center"
          busy={transfers.isFetchingNextPage}
          onClick={() => void transfers.fetchNextPage()}
        >
          {t("ledger.more")}
        </Button>
      )}
    </section>
  );
}

function Empty() {
  const t = useT();
  return (
    <div className="leaf-lg grid justify-items-start gap-3 border border-dashed border-line-strong p-6">
      <p className="display text-lg">{t("ledger.empty")}</p>
      <p className="max-w-[52ch] text-muted">{t("ledger.empty_text")}</p>
      <Link to="/play/$gameCode" params={{ gameCode: "dice" }} className={buttonClass("plain")}>
        {t("ledger.play")}
      </Link>
    </div>
  );
}
