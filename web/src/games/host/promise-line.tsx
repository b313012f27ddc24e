import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { seedQuery } from "@/features/fairness/api";
import { useT } from "@/lib/i18n/i18n";
import { shortHash } from "@/lib/short";
import { CopyText } from "@/ui/copy-text";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

/** What the house has promised for the next rolls: the player sees it before the first bet. */
export function PromiseLine() {
  const t = useT();
  const seed = useQuery(seedQuery);
  if (seed.data) {
    const { commitment } = seed.data;
    return (
      <Row>
        <Icon name="lock" className="size-4 shrink-0" />
        <span className="whitespace-nowrap max-[22rem]:sr-only">{t("game.promise")}</span>
        <CopyText label={t("fair.commitment")} value={commitment} short={shortHash(commitment)} />
        <Link to="/verify" hash="seeds" className={`${action} ml-auto xl:ml-0`}>
          {t("game.seeds")}
        </Link>
      </Row>
    );
  }
  if (seed.isError) {
    return (
      <Row>
        <span role="alert">{t("game.promise_failed")}</span>
        <button type="button" className={action} onClick={() => void seed.refetch()}>
          {t("game.retry")}
        </button>
      </Row>
    );
  }
  return (
    <Row>
      <Skeleton className="h-5 w-56" />
    </Row>
  );
}

const action =
  "inline-flex min-h-11 items-center whitespace-nowrap text-ink underline underline-offset-4";

/** Lower than its targets, which reach a little beyond it: a game needs the height of a phone. */
function Row({ children }: { children: ReactNode }) {
  const t = useT();
  return (
    <div
      role="group"
      aria-label={t("fair.commitment")}
      className="relative z-1 flex h-9 min-w-0 basis-full items-center gap-x-1 text-[0.8125rem] text-muted xl:basis-auto"
    >
      {children}
    </div>
  );
}
