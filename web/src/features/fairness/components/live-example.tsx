import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

import { checkEvidence, isClientSeed } from "../model";
import { CheckSteps, Formula } from "./check-steps";

/** A seed that was never used for play: it is public, so that everybody can follow the example. */
const SERVER_SEED = "5ca1ab1e0ddba11c0ffee0c0a57a1c0de0ff1ce0b0a710adc0c0c0deca9123ef";

/** An example that the reader changes and recalculates, here or with other tools. */
export function LiveExample() {
  const t = useT();
  const [clientSeed, setClientSeed] = useState("capiz");
  const [nonce, setNonce] = useState("0");
  const goodSeed = isClientSeed(clientSeed);
  const goodNonce = /^\d{1,9}$/.test(nonce);
  const check = useQuery({
    queryKey: ["fair", "example", clientSeed, nonce] as const,
    queryFn: () =>
      checkEvidence({
        serverSeed: SERVER_SEED,
        commitment: null,
        clientSeed,
        nonce: Number(nonce),
        choice: { target: 5000, direction: "under" },
        stake: "10",
        claim: null,
      }),
    enabled: goodSeed && goodNonce,
    placeholderData: (last) => last,
  });
  return (
    <div className="grid min-w-0 gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t("fair.client_seed")}
          value={clientSeed}
          maxLength={64}
          autoComplete="off"
          error={goodSeed ? undefined : t("fair.client_seed_wrong")}
          onChange={(event) => setClientSeed(event.target.value)}
        />
        <Field
          label={t("fair.nonce")}
          value={nonce}
          inputMode="numeric"
          autoComplete="off"
          error={goodNonce ? undefined : t("fair.nonce_wrong")}
          onChange={(event) => setNonce(event.target.value)}
        />
      </div>
      {check.data ? <CheckSteps check={check.data} /> : <Skeleton className="h-96" />}
      <div className="grid min-w-0 gap-2">
        <p className="text-muted">{t("fair.by_terminal")}</p>
        <Formula>{`printf '%s' ${SERVER_SEED} | xxd -r -p | sha256sum`}</Formula>
        <Formula>{`printf '%s' '${check.data?.evidence.clientSeed ?? clientSeed}:${check.data?.evidence.nonce ?? nonce}:dice:0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:${SERVER_SEED}`}</Formula>
      </div>
    </div>
  );
}
