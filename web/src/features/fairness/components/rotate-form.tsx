import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";

import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { toast } from "@/ui/toast";

import { rotateSeed } from "../api";
import { isClientSeed, newClientSeed } from "../model";

type RotateFormProps = {
  /** The reader came to check a round: the button says that it leads there. */
  toCheck?: boolean;
  onRotated?: () => void;
};

/** Ends the seed in use and starts the next one with a client seed of the player's choice. */
export function RotateForm({ toCheck = false, onRotated }: RotateFormProps) {
  const t = useT();
  const client = useQueryClient();
  const [clientSeed, setClientSeed] = useState(newClientSeed);
  const good = isClientSeed(clientSeed);
  const rotate = useMutation({
    mutationFn: () => rotateSeed(client, clientSeed),
    onSuccess: ({ revealed }) => {
      setClientSeed(newClientSeed());
      toast(t("fair.rotated", revealed.rounds), "good");
      onRotated?.();
    },
    onError: (error) => toast(errorText(error, t), "bad"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (good && !rotate.isPending) rotate.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start">
      <p className="flex max-w-[68ch] items-start gap-2 sm:col-span-2">
        <Icon name="info" className="mt-0.5 size-5 shrink-0 text-muted" />
        {t("fair.rotate_ends")}
      </p>
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
        variant={toCheck ? "main" : "plain"}
        busy={rotate.isPending}
        className="sm:mt-6.5"
      >
        {t(toCheck ? "fair.rotate_check" : "fair.rotate")}
      </Button>
    </form>
  );
}
