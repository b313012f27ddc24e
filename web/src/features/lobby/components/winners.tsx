import { Suspense, lazy } from "react";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Skeleton } from "@/ui/skeleton";

const WinnersBoard = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("./winners-board")),
    loadPart(() => loadMessages("home")),
  ]);
  return part;
});

/** The board has one height, whatever is on it. */
const shownRows = 10;

export function Winners() {
  const t = useT();
  return (
    <section aria-labelledby="winners" className="relative grid content-start">
      <h2 id="winners" className="display border-b border-line pt-1.5 pb-4 text-xl">
        {t("home.winners")}
      </h2>
      <Suspense fallback={<WinnersSkeleton />}>
        <WinnersBoard skeleton={<WinnersSkeleton />} />
      </Suspense>
    </section>
  );
}

function WinnersSkeleton() {
  const t = useT();
  return (
    <div aria-busy="true" className="winners-board">
      <span className="sr-only">{t("loading")}</span>
      {Array.from({ length: shownRows }, (_, index) => (
        <div key={index} className="flex h-[4.5625rem] items-center gap-3 border-b border-line">
          <Skeleton className="h-12 w-9" />
          <Skeleton className="h-5 w-28" />
          <Skeleton className="ml-auto h-5 w-20" />
        </div>
      ))}
    </div>
  );
}
