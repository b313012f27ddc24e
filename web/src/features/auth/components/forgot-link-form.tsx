import { useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { recoverByLink } from "../api-recovery";
import { checkRepeated } from "../checks";
import { usePasswordRule } from "../field-rules";
import { openLogin } from "../popups";

type Values = { newPassword: string; confirmPassword: string };
const names = ["newPassword", "confirmPassword"] as const;

type Props = {
  token: string;
  close: () => void;
  /** The link has come to its end meanwhile. */
  onOver: () => void;
};

/** The last step of a mail's link: a new password, then the log-in. */
export function ForgotLinkForm({ token, close, onOver }: Props) {
  const t = useT();
  const rule = usePasswordRule();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults<Values>(checkRepeated("newPassword", "confirmPassword", rule.check)),
    defaultValues: { newPassword: "", confirmPassword: "" },
  });
  const fault = (name: keyof Values) => rule.say(formState.errors[name]?.message);
  const submit = handleSubmit(async ({ newPassword }) => {
    setFailure(null);
    try {
      await recoverByLink(token, newPassword.trim());
      toast(t("forgot.done"), "good");
      openLogin();
      close();
    } catch (error) {
      if (isApiError(error, "session.link_over")) return onOver();
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <p className="text-muted">{t("forgot.link_text")}</p>
      <FormAlert text={failure} />
      <PasswordField
        data-autofocus
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
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("forgot.set_password")}
      </Button>
    </form>
  );
}
