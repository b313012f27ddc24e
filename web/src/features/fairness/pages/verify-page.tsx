import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, lazy, useSyncExternalStore } from "react";

import { onTokenChange, readToken } from "@/lib/api/token";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { shortNumber } from "@/lib/short";
import { Button, buttonClass } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

import { CheckedEvidence } from "../components/checked-evidence";
import { CheckedRound } from "../components/checked-round";
import { RoundPicker } from "../components/round-picker";
import { SeedPanel } from "../components/seed-panel";
import { roundQuery, roundsQuery } from "../rounds";

/** Below the rounds, and not needed for them. */
const ByHand = lazy(() => loadPart(() => import("../components/by-hand")));

/** Replays a round in the browser: one of the member's own, or one typed in by anyone. */
export default function VerifyPage() {
  const t = useT();
  const { roundId } = useParams({ strict: false });
  const inside = useSyncExternalStore(onTokenChange, readToken, () => null) !== null;
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
      {!inside && <Visitor roundId={roundId} />}
      {inside && <MyRounds roundId={roundId} />}
      <Suspense fallback={<Skeleton className="h-60" />}>
        <ByHand View={CheckedEvidence} />
      </Suspense>
      <Offline />
    </div>
  );
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
        <Icon name="down" className="size-5" />
        {t("fair.offline_save")}
      </a>
    </section>
  );
}
