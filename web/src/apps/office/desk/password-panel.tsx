import { useQueryClient } from "@tanstack/react-query";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { PasswordField } from "@/ui/field";
import { focusPage } from "@/ui/focus-page";
import { toast } from "@/ui/toast";
import { changePassword, meQuery, sessionsQuery } from "../api";
import { CodeField } from "../code-field";
import { type Faults, codeFault, digitsOf, emptyOnes, useServerForm } from "../form";
import { Panel } from "../panel";
import { useMe } from "../session";
import { FormFailure } from "../form-failure";

type Values = { oldPassword: string; newPassword: string; again: string; code: string };
const nothing: Values = { oldPassword: "", newPassword: "", again: "", code: "" };

function check(values: Values): Faults<Values> {
  return {
    ...codeFault(values.code),
    ...(values.again !== values.newPassword && { again: "office.password_differs" }),
    ...emptyOnes(values, ["oldPassword", "newPassword", "again", "code"]),
  };
}

export function PasswordPanel() {
  const t = useT();
  const me = useMe();
  const client = useQueryClient();
  const form = useServerForm(nothing, check, async (values, reset) => {
    const { oldPassword, newPassword, code } = values;
    await changePassword({ oldPassword, newPassword, code: digitsOf(code) });
    reset();
    toast(t("office.password_changed"), "good");
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
    // After a given password the panel has gone to another place.
    setTimeout(focusPage);
    await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  });
  return (
    <Panel title={t("office.password_change")}>
      <form noValidate onSubmit={form.onSubmit} className="grid items-start gap-3 sm:grid-cols-2">
        <p className="text-sm text-muted sm:col-span-2">{t("office.password_text")}</p>
        <div className="empty:hidden sm:col-span-2">
          <FormFailure text={form.failure} />
        </div>
        <input type="text" hidden readOnly autoComplete="username" value={me.username} />
        <PasswordField
          label={t("office.old_password")}
          autoComplete="current-password"
          error={form.fault("oldPassword")}
          {...form.register("oldPassword")}
        />
        <CodeField error={form.fault("code")} {...form.register("code")} />
        <PasswordField
          label={t("office.new_password")}
          autoComplete="new-password"
          error={form.fault("newPassword")}
          {...form.register("newPassword")}
        />
        <PasswordField
          label={t("office.password_again")}
          autoComplete="new-password"
          error={form.fault("again")}
          {...form.register("again")}
        />
        <Button
          type="submit"
          variant="main"
          busy={form.busy}
          className="justify-self-start sm:col-span-2"
        >
          {t("office.password_change")}
        </Button>
      </form>
    </Panel>
  );
}
