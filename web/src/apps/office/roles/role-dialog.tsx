import { useQueryClient } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { CheckField, FieldError } from "@/ui/field";
import { toast } from "@/ui/toast";
import { type Role, changeRole, rolesQuery } from "../api";
import { type Faults, reasonFault, useServerForm } from "../form";
import { ReasonField } from "../reason-field";
import { allRights, rightText, roleText } from "../rights";
import { FormFailure } from "../form-failure";

type Values = { rights: string[]; reason: string };

const check = ({ reason }: Values): Faults<Values> => reasonFault(reason);

export function RoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const form = useServerForm<Values>({ rights: role.rights, reason: "" }, check, async (values) => {
    await changeRole(role.name, values);
    await client.invalidateQueries({ queryKey: rolesQuery.queryKey });
    onClose();
    toast(t("office.saved"), "good");
  });
  return (
    <Dialog onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-4 p-6">
        <DialogTitle>{roleText(role.name, t)}</DialogTitle>
        <p className="text-sm text-muted">{t("office.role_dialog_text")}</p>
        <FormFailure text={form.failure} />
        <fieldset>
          <legend className="text-sm text-muted">{t("office.role_may")}</legend>
          {allRights([role]).map((right) => (
            <CheckField
              key={right}
              label={rightText(right, t)}
              value={right}
              {...form.register("rights")}
            />
          ))}
          <FieldError id="rights-error" text={form.fault("rights")} />
        </fieldset>
        <ReasonField field={form.register("reason")} error={form.fault("reason")} />
        <Button type="submit" variant="main" busy={form.busy}>
          {t("office.save")}
        </Button>
      </form>
    </Dialog>
  );
}
