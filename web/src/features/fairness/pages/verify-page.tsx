import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, lazy, useState, useSyncExternalStore } from "react";

import { onTokenChange, readToken } from "@/lib/api/token";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { shortNumber } from "@/lib/short";
import { Button, buttonClass } from "@/ui/button";
import { DownloadIcon } from "@/ui/download-icon";
import { Skeleton } from "@/ui/skeleton";

import { seedQuery } from "../api";
import { CheckedEvidence } from "../components/checked-evidence";
import { CheckedRound } from "../components/checked-round";
import { RoundPicker } from "../components/round-picker";
import { SeedPanel } from "../components/seed-panel";
import { roundPagesQuery, roundQuery, roundsQuery } from "../rounds";

/** Below the rounds, and not needed for them. */
const ByHand = lazy(() => loadPart(() => import("../components/by-hand")));

/** Replays a round in the browser: one of the member's own, or one typed in by anyone. */
export default function VerifyPage() {
  const t = useT();
  const { roundId } = useParams({ strict: false });
  const inside = useSyncExternalStore(onTokenChange, readToken, () => null) !== null;
  const isThere = useIsThere(roundId, inside);
  return (
    <div className="grid grid-cols-1 gap-10">
      <header className="grid gap-3">
        <h1 className="display text-3xl sm:text-4xl">{t("fair.verify_title")}</h1>
        <p className="max-w-[68ch] text-muted">{t("fair.verify_text")}</p>
        <Link
          to="/fairness"
          className="inline-flex min-h-11 w-fit items-center font-semibold underline underline-offset-4"
        >
          {t("fair.how_link")}
        </Link>
      </header>
      {!isThere && <Skeleton className="h-[70vh]" />}
      {isThere && (
        <>
          {inside ? <MyRounds roundId={roundId} /> : <Visitor roundId={roundId} />}
          <Suspense fallback={<Skeleton className="h-60" />}>
            <ByHand View={CheckedEvidence} />
            <Offline />
          </Suspense>
        </>
      )}
    </div>
  );
}

/** Whether everything that a member's page begins with has come: its parts come together, so that none moves. */
function useIsThere(roundId: string | undefined, inside: boolean): boolean {
  const rounds = useQuery({ ...roundsQuery, enabled: inside });
  const pages = useInfiniteQuery({ ...roundPagesQuery(null), enabled: inside });
  const seed = useQuery({ ...seedQuery, enabled: inside });
  const round = useQuery({
    ...roundQuery(roundId ?? ""),
    enabled: inside && roundId !== undefined,
  });
  const isLoading = [rounds, pages, seed, round].some((one) => one.isLoading);
  // A round that is chosen later takes nothing away.
  const [wasThere, setWasThere] = useState(!isLoading);
  if (!isLoading && !wasThere) setWasThere(true);
  return wasThere;
}

function MyRounds({ roundId }: { roundId: string | undefined }) {
  const t = useT();
  const rounds = useQuery(roundsQuery);
  const round = useQuery({ ...roundQuery(roundId ?? ""), enabled: roundId !== undefined });
  if (!roundId && rounds.data?.content.length === 0) {
    return (
      <>
        <NotPlayed />
        <SeedPanel />
      </>
    );
  }
  // The card of a sealed round already shows its seeds and the way to the next ones.
  const sealed = round.data !== undefined && !round.data.seed.serverSeed;
  return (
    <>
      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[22rem_minmax(0,1fr)]">
        {/* On a phone a chosen round comes before the list, which may be long. */}
        {roundId && <CheckedRound key={roundId} roundId={roundId} />}
        <RoundPicker chosen={roundId} className="lg:order-first" />
        {!roundId && rounds.data && (
          <p className="leaf-lg grid place-items-center border border-dashed border-line-strong p-6 text-center text-muted lg:min-h-40">
            {t("fair.pick_hint")}
          </p>
        )}
      </div>
      {!sealed && <SeedPanel />}
    </>
  );
}

function NotPlayed() {
  const t = useT();
  return (
    <section
      aria-labelledby="not-played"
      className="leaf-lg grid justify-items-start gap-4 border border-line bg-surface p-5"
    >
      <h2 id="not-played" className="display text-xl">
        {t("fair.not_played")}
      </h2>
      <p className="max-w-[60ch] text-muted">{t("fair.not_played_text")}</p>
      <Link to="/play/$gameCode" params={{ gameCode: "dice" }} className={buttonClass("main")}>
        {t("fair.play")}
      </Link>
    </section>
  );
}

function Visitor({ roundId }: { roundId: string | undefined }) {
  const t = useT();
  const here = roundId ? `/verify/${encodeURIComponent(roundId)}` : "/verify";
  return (
    <section className="leaf-lg flex flex-wrap items-center justify-between gap-4 border border-line bg-surface p-5">
      <p className="max-w-[52ch]">
        {roundId ? t("fair.visitor_round", shortNumber(roundId)) : t("fair.visitor")}
      </p>
      <Button variant="main" onClick={() => openPopup("login", { next: here })}>
        {t("fair.login")}
      </Button>
    </section>
  );
}

/** The same calculation as one file, for a computer that never talks to us. */
function Offline() {
  const t = useT();
  return (
    <section
      aria-labelledby="offline"
      className="leaf-lg grid justify-items-start gap-4 border border-line bg-surface p-5"
    >
      <h2 id="offline" className="display text-xl">
        {t("fair.offline")}
      </h2>
      <p className="max-w-[68ch] text-muted">{t("fair.offline_text")}</p>
      <a href="/downloads/capiz-verifier.html" download className={buttonClass()}>
        <DownloadIcon />
        {t("fair.offline_save")}
      </a>
    </section>
  );
}
