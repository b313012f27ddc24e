import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { checkEvidence } from "@/lib/fair/check";
import { type GameCode, gameCodes, tellGame } from "@/lib/fair/names";
import { say } from "@/lib/fair/told/said";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";

import { isClientSeed } from "../model";
import { CheckSteps } from "./check-steps";
import { Choose } from "./choose";
import { Formula } from "./steps";

/** A seed that was never used for play: it is public, so that everybody can follow the example. */
const SERVER_SEED = "5ca1ab1e0ddba11c0ffee0c0a57a1c0de0ff1ce0b0a710adc0c0c0deca9123ef";

/** What is chosen and done in the example of each game. Games that are not named take no choice. */
const EXAMPLES: Partial<Record<GameCode, { choice: unknown; actions?: unknown[] }>> = {
  dice: { choice: { target: 5000, direction: "under" } },
  limbo: { choice: { target: 200 } },
  mines: { choice: { mines: 3 }, actions: [{ pick: 12 }] },
  plinko: { choice: { rows: 8, risk: "medium" } },
  hilo: { choice: {}, actions: ["higher"] },
  wheel: { choice: { segments: 10, risk: "medium" } },
  keno: { choice: { picks: [7, 17, 27] } },
};

/** An example that the reader changes and recalculates, here or with other tools. */
export function LiveExample() {
  const t = useT();
  const [game, setGame] = useState<GameCode>("dice");
  const [clientSeed, setClientSeed] = useState("capiz");
  const [nonce, setNonce] = useState("0");
  const goodSeed = isClientSeed(clientSeed);
  const goodNonce = /^\d{1,9}$/.test(nonce);
  const check = useQuery({
    queryKey: ["fair", "example", game, clientSeed, nonce] as const,
    queryFn: () => checkEvidence(evidence(game, clientSeed, Number(nonce))),
    enabled: goodSeed && goodNonce,
    placeholderData: (last) => last,
  });
  const shown = check.data?.evidence;
  const message = `${shown?.clientSeed ?? clientSeed}:${shown?.nonce ?? nonce}:${shown?.game ?? game}:0`;
  return (
    <div className="grid min-w-0 gap-6">
      <div className="grid gap-4 sm:grid-cols-3">
        <Choose
          label={t("fair.game")}
          value={game}
          options={gameCodes.map((code) => ({ value: code, text: say(t, tellGame(code)) }))}
          onChange={(code) => setGame(code as GameCode)}
        />
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
        <Formula>{`printf '%s' '${message}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:${SERVER_SEED}`}</Formula>
      </div>
    </div>
  );
}

function evidence(game: GameCode, clientSeed: string, nonce: number) {
  const { choice, actions } = EXAMPLES[game] ?? { choice: {} };
  return {
    game,
    serverSeed: SERVER_SEED,
    commitment: null,
    clientSeed,
    nonce,
    choice,
    actions: actions ?? [],
    stake: "10",
    most: "1000000",
    claim: null,
  };
}
