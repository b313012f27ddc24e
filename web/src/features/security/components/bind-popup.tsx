import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import {
  checkFields,
  code,
  codeRefusals,
  contactText,
  email,
  mobile,
  required,
} from "@/features/auth/checks";
import { FactorField } from "@/features/auth/components/factor-field";
import { HumanNote } from "@/features/auth/components/human-note";
import { useCountries } from "@/features/auth/countries";
import { useSession } from "@/features/auth/session";
import { stepUpFault } from "@/features/auth/step-up";
import { factorCode, factorRefusals, useFactor } from "@/features/auth/use-factor";
import { isApiError } from "@/lib/api/client";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CodeField } from "@/ui/code-field";
import { DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { bind } from "../api";
import { asksPassword, contactWords } from "../model";
import type { BindProps } from "../popups";
import { type BindValues, targetOf, useBindCode } from "../use-bind-code";
import { ContactField } from "./contact-field";
import { PasswordGate } from "./password-gate";

const names = ["mobileNum", "email", "verificationCode", "password"] as const;
const refusals = {
  ...codeRefusals,
  ...factorRefusals,
  "member.wrong_password": "password",
} as const;

type Props = BindProps & { close: () => void };

/** Binds a mobile number or an e-mail address: a code proves that it is the member's. */
export default function BindPopup(props: Props) {
  const t = useT();
  const { what, purpose, close } = props;
  const form = <BindForm {...props} />;
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t(contactWords[what][purpose])}</DialogTitle>
      {purpose === "change" ? <PasswordGate close={close}>{form}</PasswordGate> : form}
    </div>
  );
}

function BindForm({ what, purpose, held = "", close }: Props) {
  const t = useT();
  const client = useQueryClient();
  const { usual } = useCountries();
  const hasPassword = useSession().member?.hasPassword ?? true;
  // Only the server knows whether the contact that was typed is the one that the member has.
  const [isAnother, setAnother] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const asks = isAnother || asksPassword(purpose, hasPassword);
  const factor = useFactor();
  const form = useForm<BindValues>({
    resolver: byFaults(
      checkFields<BindValues>({
        ...(what === "email" ? { email } : { mobileNum: mobile }),
        verificationCode: code,
        ...(asks && { password: required }),
        ...(factor.asks && { twoFactorCode: required }),
      }),
    ),
    defaultValues: {
      mobileNum: "",
      countryDialingCode: usual,
      email: "",
      verificationCode: "",
      password: "",
      twoFactorCode: "",
    },
  });
  const { register, handleSubmit, formState, setError } = form;
  const { sender, sending } = useBindCode(what, form);
  const fault = (name: keyof BindValues) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const explain = (error: unknown) => {
    const wantsPassword = isApiError(error) && error.fields["password"] !== undefined;
    if (wantsPassword && !hasPassword) return setFailure(t("error.no_password"));
    if (wantsPassword && !asks) setAnother(true);
    factor.learn(error);
    if (takeFieldErrors(error, names, setError, purpose === "verify" ? proofText : contactText)) {
      return;
    }
    if (!takeRefusal(error, refusals, setError)) setFailure(t(stepUpFault(error)));
  };
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      const verificationCode = values.verificationCode.trim();
      const password = asks && { password: values.password.trim() };
      const shown = {
        verificationCode,
        ...password,
        ...factorCode(factor.asks, values.twoFactorCode),
      };
      await bind({ ...targetOf(what, values), ...shown });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
      toast(t("security.bound"), "good");
    } catch (error) {
      explain(error);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">
        {purpose === "verify" ? t("security.verify_text", held) : t("security.bind_text")}
      </p>
      <FormAlert text={failure} />
      <ContactField
        what={what}
        form={form}
        error={fault(what === "email" ? "email" : "mobileNum")}
        onTyped={() => setAnother(false)}
      />
      <CodeField
        error={fault("verificationCode")}
        sender={sender}
        {...register("verificationCode")}
      />
      {asks && (
        <PasswordField
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it comes because the member has sent the form without it
          autoFocus={isAnother}
          label={t("security.login_password")}
          autoComplete="current-password"
          error={fault("password")}
          {...register("password")}
        />
      )}
      {factor.asks && (
        <FactorField
          isLate={factor.isLate}
          // The code that was sent is not this one.
          autoComplete="off"
          error={fault("twoFactorCode")}
          {...register("twoFactorCode")}
        />
      )}
      <HumanNote busy={sending} />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.bind")}
      </Button>
    </form>
  );
}

/** A password is asked for where somebody proves a contact only if that is another than the one it has. */
function proofText(name: string, code: string): Key | undefined {
  return name === "password" ? "security.password_for_another" : contactText(name, code);
}
