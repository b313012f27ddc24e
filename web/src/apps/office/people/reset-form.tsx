import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { useLateFocus } from "@/ui/dialog";
import { CheckField } from "@/ui/field";
import { type Person, type Secrets, resetPerson } from "../api";
import { type Faults, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { SecretsView } from "./secrets-view";
import { FormFailure } from "../form-failure";

type Values = { sure: boolean; reason: string };

function check({ sure, reason }: Values): Faults<Values> {
  return { ...(!sure && { sure: "office.reset_sure_rule" }), ...reasonFault(reason) };
}

type ResetFormProps = { person: Person; onCancel: () => void; onDone: () => void };

/** A new password and a new authenticator secret; whoever has the old ones is out at once. */
export function ResetForm({ person, onCancel, onDone }: ResetFormProps) {
  const t = useT();
  const ref = useLateFocus<HTMLFormElement>();
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const form = useServerForm<Values>({ sure: false, reason: "" }, check, async ({ reason }) => {
    setSecrets(await resetPerson(person.id, { reason }));
  });
  if (secrets) {
    return <SecretsView username={person.username} secrets={secrets} onDone={onDone} />;
  }
  return (
    <form ref={ref} noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <p className="text-muted">{t("office.reset_text")}</p>
      <FormFailure text={form.failure} />
      <ReasonField isFirst field={form.register("reason")} error={form.fault("reason")} />
      <CheckField
        label={t("office.reset_sure")}
        error={form.fault("sure")}
        {...form.register("sure")}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={onCancel}>{t("popup.cancel")}</Button>
        <Button type="submit" variant="main" busy={form.busy} className="grow">
          {t("office.reset")}
        </Button>
      </div>
    </form>
  );
}
