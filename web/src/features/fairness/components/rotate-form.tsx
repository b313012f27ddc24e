import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { toast } from "@/ui/toast";

import { rotateSeed } from "../api";
import { isClientSeed, newClientSeed } from "../model";

/** Ends the seed in use and starts the next one with a client seed of the player's choice. */
export function RotateForm({ main = false }: { main?: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const [clientSeed, setClientSeed] = useState(newClientSeed);
  const good = isClientSeed(clientSeed);
  const rotate = useMutation({
    mutationFn: () => rotateSeed(client, clientSeed),
    onSuccess: ({ revealed }) => {
      setClientSeed(newClientSeed());
      toast(t("fair.rotated", revealed.rounds), "good");
    },
    onError: (error) => toast(errorText(error, t), "bad"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (good && !rotate.isPending) rotate.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start">
      <Field
        label={t("fair.new_client_seed")}
        hint={t("fair.new_client_seed_hint")}
        error={good ? undefined : t("fair.client_seed_wrong")}
        value={clientSeed}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setClientSeed(event.target.value)}
      />
      <Button
        type="submit"
        variant={main ? "main" : "plain"}
        busy={rotate.isPending}
        className="sm:mt-7"
      >
        {t("fair.rotate")}
      </Button>
    </form>
  );
}
