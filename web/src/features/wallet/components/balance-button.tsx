import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { Money } from "@/ui/money";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { balanceQuery } from "../api";

/** The balance; a press loads it again. */
export function BalanceButton() {
  const t = useT();
  const { data, refetch } = useQuery(balanceQuery);
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    const { error } = await refetch();
    if (error) toast(errorText(error, t), "bad");
    setBusy(false);
  };
  return (
    <button
      type="button"
      title={t("wallet.refresh")}
      onClick={() => void refresh()}
      className="leaf flex min-h-11 items-center gap-2 border border-line bg-surface px-3 hover:border-line-strong"
    >
      <span className="sr-only">{t("wallet.balance")}</span>
      <span aria-live="polite" className="text-lg">
        {data ? (
          <Money value={data.balance} currency={data.currency} />
        ) : (
          <Skeleton className="h-5 w-20" />
        )}
      </span>
      <Icon
        name="refresh"
        className={`size-4 text-muted max-sm:hidden ${busy ? "animate-spin" : ""}`}
      />
    </button>
  );
}
