import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/error";
import { readToken, storeToken } from "@/lib/api/token";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { PopupBand } from "@/ui/popup-band";
import { toast } from "@/ui/toast";
import { withdraw } from "../api";
import { changePassword } from "../api-login";
import { checkFields, checkRepeated, required } from "../checks";
import { usePasswordRule } from "../field-rules";
import { dropForcedChange } from "../forced-change";
import type { ChangePasswordProps } from "../popups";
import { remember } from "../remembering";
import { stepUpFault } from "../step-up";
import { factorCode, factorRefusals, useFactor } from "../use-factor";
import { FactorField } from "./factor-field";

type Values = {
  oldPassword: string;
  newPassword: string;
  confirmPassword: string;
  twoFactorCode: string;
};
const names = ["oldPassword", "newPassword", "confirmPassword"] as const;
const refusals = { "member.wrong_password": "oldPassword", ...factorRefusals } as const;

/** A new password for whoever is logged in. Without a session there is none to give. */
export default function ChangePasswordPopup(props: ChangePasswordProps & { close: () => void }) {
  const { forced, close } = props;
  const [held, setHeld] = useState(forced?.held);
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const rule = usePasswordRule();
  // Whoever has to change it has just logged in, with everything that this takes.
  const factor = useFactor(forced !== undefined);
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => ({
      ...(held === undefined && checkFields<Values>({ oldPassword: required })(values)),
      ...checkRepeated("newPassword", "confirmPassword", rule.check)(values),
      ...(factor.asks && checkFields<Values>({ twoFactorCode: required })(values)),
    })),
    defaultValues: { oldPassword: "", newPassword: "", confirmPassword: "", twoFactorCode: "" },
  });
  const fault = (name: keyof Values) => rule.say(formState.errors[name]?.message);
  const explain = (error: unknown) => {
    if (takeFieldErrors(error, names, setError)) return;
    factor.learn(error);
    // What is held is no longer the password, perhaps because an answer was lost: another one is asked for.
    if (isApiError(error, "member.wrong_password")) setHeld(undefined);
    if (!takeRefusal(error, refusals, setError)) setFailure(t(stepUpFault(error)));
  };
  const goOn = async (password: string) => {
    // The other devices are logged out, too. The password is changed, whether or not the news can be fetched.
    void client.invalidateQueries({ queryKey: ["member"] });
    const username = forced?.rememberedAs;
    if (username !== undefined) void remember({ part: "login", what: { username, password } });
    close();
    if (forced) await navigate({ href: forced.next });
    toast(t("password.changed"), "good");
  };
  const submit = handleSubmit(async ({ oldPassword, newPassword, twoFactorCode }) => {
    setFailure(null);
    const session = readToken();
    try {
      const { token } = await changePassword(
        (held ?? oldPassword).trim(),
        newPassword.trim(),
        factorCode(factor.asks, twoFactorCode),
      );
      // Whoever has left meanwhile, because a popup that must be answered was closed, stays out.
      if (readToken() !== session) return withdraw({ token });
      dropForcedChange();
      storeToken(token);
    } catch (error) {
      explain(error);
      return;
    }
    await goOn(newPassword.trim());
  });
  return (
    <>
      <PopupBand />
      <form
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid grid-cols-1 gap-4 p-6"
      >
        <DialogTitle>{t("password.change_title")}</DialogTitle>
        <p className="text-muted">{t(forced ? "password.must_change" : "password.change_text")}</p>
        <FormAlert text={failure} />
        {held === undefined && (
          <PasswordField
            data-autofocus
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it comes because what was held was refused
            autoFocus={forced?.held !== undefined}
            label={t("field.old_password")}
            autoComplete="current-password"
            error={fault("oldPassword")}
            {...register("oldPassword")}
          />
        )}
        <PasswordField
          {...(held !== undefined && { "data-autofocus": true })}
          label={t("field.new_password")}
          autoComplete="new-password"
          hint={rule.hint}
          error={fault("newPassword")}
          {...register("newPassword")}
        />
        <PasswordField
          label={t("field.confirm_password")}
          autoComplete="new-password"
          error={fault("confirmPassword")}
          {...register("confirmPassword")}
        />
        {factor.asks && (
          <FactorField
            isLate={factor.isLate}
            error={fault("twoFactorCode")}
            {...register("twoFactorCode")}
          />
        )}
        <Button type="submit" variant="main" busy={formState.isSubmitting}>
          {t("password.change")}
        </Button>
      </form>
    </>
  );
}
