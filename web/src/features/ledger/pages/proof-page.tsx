import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";

import { useSession } from "@/features/auth/session";
import { errorText } from "@/lib/api/error-text";
import type { DailyRoot } from "@/lib/api/types";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { NumberedSteps, type Step } from "@/ui/numbered-steps";
import { Skeleton } from "@/ui/skeleton";

import { rootsQuery } from "../api";
import { CountedPanel } from "../components/counted-panel";
import { DayList } from "../components/day-list";
import { LoadFault } from "../components/panel";

const story: readonly Step[] = [
  { title: "proof.story_leaf", text: "proof.story_leaf_text" },
  { title: "proof.story_tree", text: "proof.story_tree_text" },
  { title: "proof.story_public", text: "proof.story_public_text" },
  { title: "proof.story_check", text: "proof.story_check_text" },
];

/** What the house owes its members, day by day, and how a member sees that they are counted. */
export default function ProofPage() {
  const t = useT();
  const roots = useInfiniteQuery(rootsQuery);
  const isComing = useSession().kind === "unknown" || roots.isPending;
  const days = roots.data?.pages.flatMap((page) => page.content);
  return (
    <article className="grid grid-cols-1 gap-10">
      <header className="grid gap-3">
        <h1 className="display text-3xl sm:text-4xl">{t("proof.title")}</h1>
        <p className="max-w-[62ch] text-lg">{t("proof.lead")}</p>
        <Link
          to="/transactionHistory"
          className="inline-flex min-h-11 w-fit items-center font-semibold underline underline-offset-4"
        >
          {t("proof.record_link")}
        </Link>
      </header>
      {/* Who looks and which days there are decides the height of every part: they come together, so that none moves. */}
      {isComing ? (
        <Skeleton className="h-[70vh]" />
      ) : (
        <>
          {days && days.length > 0 && <CountedPanel days={days} />}
          <section aria-labelledby="days" className="grid min-w-0 gap-3">
            <h2 id="days" className="display text-2xl">
              {t("proof.days")}
            </h2>
            {roots.isError && (
              <LoadFault
                text={errorText(roots.error, t)}
                onRetry={() => void (days ? roots.fetchNextPage() : roots.refetch())}
              />
            )}
            {days && <Days days={days} />}
            {roots.hasNextPage && !roots.isError && (
              <Button
                className="justify-self-center"
                busy={roots.isFetchingNextPage}
                onClick={() => void roots.fetchNextPage()}
              >
                {t("proof.more")}
              </Button>
            )}
          </section>
          <Story />
        </>
      )}
    </article>
  );
}

function Days({ days }: { days: readonly DailyRoot[] }) {
  const t = useT();
  if (days.length > 0) return <DayList days={days} />;
  return (
    <div className="leaf-lg grid gap-3 border border-dashed border-line-strong p-6">
      <p className="display text-lg">{t("proof.none")}</p>
      <p className="max-w-[52ch] text-muted">{t("proof.none_text")}</p>
    </div>
  );
}

function Story() {
  const t = useT();
  return (
    <>
      <NumberedSteps steps={story} className="grid gap-x-10 gap-y-6 md:grid-cols-2" />
      <section aria-labelledby="limits" className="grid gap-2">
        <h2 id="limits" className="display text-xl">
          {t("proof.limits")}
        </h2>
        <p className="max-w-[68ch] text-muted">{t("proof.limits_text")}</p>
      </section>
    </>
  );
}
