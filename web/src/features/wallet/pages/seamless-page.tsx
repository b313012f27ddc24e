import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { openLogin } from "@/features/auth/popups";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { Button, buttonClass } from "@/ui/button";
import { EmptyState, LoadFailed } from "@/ui/list-states";
import { Money } from "@/ui/money";
import { NumberedSteps, type Step } from "@/ui/numbered-steps";
import { Skeleton } from "@/ui/skeleton";
import { balanceQuery, coveredVendorsQuery } from "../api";

const story: readonly Step[] = [
  { title: "seamless.one", text: "seamless.one_text" },
  { title: "seamless.round", text: "seamless.round_text" },
  { title: "seamless.record", text: "seamless.record_text" },
];

/** How one wallet serves all studios, which these are, and what is in it. */
export default function SeamlessPage() {
  const t = useT();
  return (
    <div className="grid grid-cols-1 gap-10">
      <header className="grid gap-3">
        <h1 className="display text-[min(1.875rem,8vw)] text-balance sm:text-4xl">
          {t("seamless.title")}
        </h1>
        <p className="max-w-[62ch] text-lg">{t("seamless.lead")}</p>
      </header>
      <Balances />
      <NumberedSteps steps={story} className="grid gap-x-10 gap-y-6 md:grid-cols-3" />
      <Covered />
    </div>
  );
}

/** The member's own wallet. */
function Balances() {
  const t = useT();
  const session = useSession();
  const isMember = session.kind === "member" || session.kind === "trial";
  const { data, error, refetch } = useQuery({ ...balanceQuery, enabled: isMember });
  return (
    <section
      aria-labelledby="wallet"
      className="leaf-lg relative grid min-h-44 content-center gap-3 overflow-hidden border border-line bg-surface p-5 sm:p-8"
    >
      <div
        className="lattice lattice-right absolute inset-y-0 right-0 w-1/2 max-sm:hidden"
        aria-hidden="true"
      />
      <h2 id="wallet" className="relative text-muted">
        {t("seamless.yours")}
      </h2>
      {session.kind === "visitor" && (
        <div className="relative grid justify-items-start gap-4">
          <p className="max-w-[46ch]">{t("seamless.visitor")}</p>
          <Button variant="main" onClick={() => openLogin("/seamless")}>
            {t("header.login")}
          </Button>
        </div>
      )}
      {session.kind === "unknown" && <Skeleton className="relative h-10 w-48" />}
      {isMember && !data && !error && <Skeleton className="relative h-10 w-48" />}
      {isMember && error && !data && (
        <div className="relative">
          <LoadFailed error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {isMember && data && (
        <div className="relative flex flex-wrap items-end justify-between gap-4">
          <Money value={data.balance} currency={data.currency} className="text-4xl" />
          <Link to="/transactionHistory" className={`${buttonClass()} bg-surface`}>
            {t("seamless.history")}
          </Link>
        </div>
      )}
    </section>
  );
}

function Covered() {
  const t = useT();
  const { data, error, refetch } = useQuery(coveredVendorsQuery);
  return (
    <section aria-labelledby="covered" className="grid grid-cols-1 gap-4">
      <h2 id="covered" className="display text-2xl">
        {t("seamless.covered")}
      </h2>
      <div className="min-h-24">
        {!data && !error && <Skeleton className="h-20" />}
        {error && !data && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState title={t("seamless.none")} text={t("seamless.none_text")} />
        )}
        {data && data.length > 0 && (
          <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {data.map(({ vassalage, displayName, games, maintenance }) => (
              <li
                key={vassalage}
                className="leaf flex min-h-20 flex-wrap items-center justify-between gap-x-4 border border-line bg-surface px-5 py-3"
              >
                <span data-name className="text-lg font-semibold">
                  {displayName}
                </span>
                <span className="text-sm text-muted">
                  {maintenance ? t("seamless.paused") : t("seamless.games", games)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
