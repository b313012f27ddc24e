import { useState } from "react";
import { useForm } from "react-hook-form";
import { checkFields, required } from "@/features/auth/checks";
import { FactorField } from "@/features/auth/components/factor-field";
import { stepUpFault } from "@/features/auth/step-up";
import { byFaults, takeRefusal } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { PasswordGate } from "./password-gate";

type Values = { password: string; code: string };

/** Which field the server's refusals are about. */
const fields = {
  "member.wrong_password": "password",
  "session.two_factor_invalid": "code",
} as const;

type Props = {
  text: string;
  action: string;
  onSend: (password: string, code: string) => Promise<void>;
};

/** Asks for the password and a code before something that weakens the account. */
export function StepUpForm({ close, ...props }: Props & { close: () => void }) {
  return (
    <PasswordGate close={close}>
      <SecretsForm {...props} />
    </PasswordGate>
  );
}

function SecretsForm(props: Props) {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults(checkFields<Values>({ password: required, code: required })),
    defaultValues: { password: "", code: "" },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const submit = handleSubmit(async ({ password, code }) => {
    setFailure(null);
    try {
      await props.onSend(password.trim(), code.replaceAll(/\s/g, ""));
    } catch (error) {
      if (!takeRefusal(error, fields, setError)) setFailure(t(stepUpFault(error)));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{props.text}</p>
      <FormAlert text={failure} />
      <PasswordField
        data-autofocus
        label={t("security.login_password")}
        autoComplete="current-password"
        error={fault("password")}
        {...register("password")}
      />
      <FactorField error={fault("code")} {...register("code")} />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {props.action}
      </Button>
    </form>
  );
}
