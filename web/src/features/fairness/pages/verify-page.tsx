import { Link, useParams } from "@tanstack/react-router";
import { useState, useSyncExternalStore } from "react";

import { onTokenChange, readToken } from "@/lib/api/token";
import { useT } from "@/lib/i18n/i18n";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";

import { CheckedEvidence, CheckedRound } from "../components/checked-round";
import { ManualForm } from "../components/manual-form";
import { RoundPicker } from "../components/round-picker";
import { SeedPanel } from "../components/seed-panel";
import type { Evidence } from "../model";

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
      {inside && (
        <div className="grid gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <RoundPicker chosen={roundId} />
          {roundId ? (
            <CheckedRound key={roundId} roundId={roundId} />
          ) : (
            <p className="leaf-lg grid min-h-40 place-items-center border border-dashed border-line-strong p-6 text-center text-muted">
              {t("fair.pick_hint")}
            </p>
          )}
        </div>
      )}
      {inside && <SeedPanel />}
      <ByHand />
    </div>
  );
}

function Visitor({ roundId }: { roundId: string | undefined }) {
  const t = useT();
  const here = roundId ? `/verify/${encodeURIComponent(roundId)}` : "/verify";
  return (
    <section className="leaf-lg flex flex-wrap items-center justify-between gap-4 border border-line bg-surface p-5">
      <p className="max-w-[52ch]">{t("fair.visitor")}</p>
      <Button variant="main" onClick={() => openPopup("login", { next: here })}>
        {t("fair.login")}
      </Button>
    </section>
  );
}

function ByHand() {
  const t = useT();
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  return (
    <section aria-labelledby="by-hand" className="grid gap-5 border-t border-line pt-8">
      <h2 id="by-hand" className="display text-xl">
        {t("fair.by_hand")}
      </h2>
      <p className="max-w-[68ch] text-muted">{t("fair.by_hand_text")}</p>
      <ManualForm onCheck={setEvidence} />
      {evidence && <CheckedEvidence evidence={evidence} />}
    </section>
  );
}
