import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { type Secrets, addPerson, peopleQuery } from "../api";
import { type Faults, emptyOnes, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { RolesField } from "./roles-field";
import { SecretsView } from "./secrets-view";
import { FormFailure } from "../form-failure";

type Values = { username: string; name: string; roles: string[]; reason: string };
const nothing: Values = { username: "", name: "", roles: [], reason: "" };

function check(values: Values): Faults<Values> {
  return {
    ...(!/^[\w.-]{3,32}$/.test(values.username.trim()) && { username: "office.username_rule" }),
    ...emptyOnes(values, ["username", "name"]),
    ...reasonFault(values.reason),
  };
}

type Added = { username: string; secrets: Secrets };

export function AddPersonDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [added, setAdded] = useState<Added | null>(null);
  return (
    <Dialog onClose={onClose}>
      <div className="grid gap-4 p-6">
        <DialogTitle>{t("office.person_add")}</DialogTitle>
        {added ? <SecretsView {...added} onDone={onClose} /> : <AddForm onAdded={setAdded} />}
      </div>
    </Dialog>
  );
}

function AddForm({ onAdded }: { onAdded: (added: Added) => void }) {
  const t = useT();
  const client = useQueryClient();
  const form = useServerForm(
    nothing,
    check,
    async (values) => {
      const username = values.username.trim();
      const secrets = await addPerson({ ...values, username });
      onAdded({ username, secrets });
      await client.invalidateQueries({ queryKey: peopleQuery.queryKey });
    },
    { "member.name_taken": "username" },
  );
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-4">
      <FormFailure text={form.failure} />
      <Field
        data-autofocus
        label={t("office.name")}
        autoComplete="off"
        maxLength={64}
        error={form.fault("name")}
        {...form.register("name")}
      />
      <Field
        label={t("office.username")}
        hint={t("office.username_rule")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        error={form.fault("username")}
        {...form.register("username")}
      />
      <RolesField field={form.register("roles")} error={form.fault("roles")} />
      <ReasonField field={form.register("reason")} error={form.fault("reason")} />
      <Button type="submit" variant="main" busy={form.busy}>
        {t("office.person_add")}
      </Button>
    </form>
  );
}
