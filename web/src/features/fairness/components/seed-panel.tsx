import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

import { seedQuery } from "../api";
import { roundsQuery } from "../rounds";
import { RotateForm } from "./rotate-form";
import { Line } from "./steps";

/** The seeds in use, and the way to the next ones. */
export function SeedPanel() {
  const t = useT();
  const seed = useQuery(seedQuery);
  const rounds = useQuery(roundsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = useLocation({ select: ({ hash }) => hash === "seeds" });
  const settled = !seed.isPending && !rounds.isPending;
  useEffect(() => {
    // A link leads here: it arrives once everything above the panel has its height.
    if (!wanted || !settled) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [wanted, settled]);
  return (
    <section
      aria-labelledby="seeds"
      className="leaf-lg grid gap-4 border border-line bg-surface p-5"
    >
      <h2 ref={heading} id="seeds" tabIndex={-1} className="display text-xl outline-none">
        {t("fair.seeds")}
      </h2>
      <p className="max-w-[68ch] text-muted">{t("fair.seeds_text")}</p>
      {seed.isPending && <Skeleton className="h-44" />}
      {seed.isError && (
        <p role="alert" className="flex flex-wrap items-center gap-4">
          {errorText(seed.error, t)}
          <Button size="sm" onClick={() => void seed.refetch()}>
            {t("fair.retry")}
          </Button>
        </p>
      )}
      {seed.data && (
        <>
          <div>
            <Line label={t("fair.commitment")} value={seed.data.commitment} />
            <Line label={t("fair.next_commitment")} value={seed.data.nextCommitment} />
            <Line label={t("fair.client_seed")} value={seed.data.clientSeed} />
            <Line label={t("fair.nonce_next")} value={String(seed.data.nonce)} />
          </div>
          <RotateForm />
        </>
      )}
    </section>
  );
}
