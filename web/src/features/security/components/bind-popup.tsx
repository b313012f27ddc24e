import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { checkFields, code, email, mobile, secret } from "@/features/auth/checks";
import { HumanNote } from "@/features/auth/components/human-note";
import { useCountries } from "@/features/auth/countries";
import { withProof } from "@/features/auth/sign-in";
import { pauseAfter } from "@/features/auth/sms";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import { CodeField } from "@/ui/code-field";
import { DialogTitle } from "@/ui/dialog";
import { Field, PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { MobileField } from "@/ui/mobile-field";
import { toast } from "@/ui/toast";
import { bind, sendBindCode } from "../api";

type Values = {
  mobileNum: string;
  countryDialingCode: string;
  email: string;
  verificationCode: string;
  password: string;
};
const names = ["mobileNum", "email", "verificationCode", "password"] as const;

type Props = { what: "mobile" | "email"; exists: boolean; close: () => void };

const autofocus = { "data-autofocus": true };

/** Binds a mobile number or an e-mail address: a code proves that it is the member's. To replace one takes the password. */
export default function BindPopup({ what, exists, close }: Props) {
  const t = useT();
  const client = useQueryClient();
  const { countries, usual } = useCountries();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: byFaults(
      checkFields<Values>({
        ...(what === "email" ? { email } : { mobileNum: mobile }),
        verificationCode: code,
        ...(exists && { password: secret }),
      }),
    ),
    defaultValues: {
      mobileNum: "",
      countryDialingCode: usual,
      email: "",
      verificationCode: "",
      password: "",
    },
  });
  const { register, handleSubmit, formState, setError, getValues, trigger } = form;
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const target = (values: Values) =>
    what === "email"
      ? { email: values.email.trim() }
      : { mobileNum: values.mobileNum.trim(), countryDialingCode: values.countryDialingCode };
  const isReady = () => trigger(what === "email" ? "email" : "mobileNum", { shouldFocus: true });
  const onSend = async () => {
    setSending(true);
    try {
      return pauseAfter(await withProof((human) => sendBindCode(target(getValues()), human)));
    } catch (error) {
      warn("error.unexpected", errorText(error, t));
      return null;
    } finally {
      setSending(false);
    }
  };
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      const verificationCode = values.verificationCode.trim();
      const password = exists && { password: values.password };
      await bind({ ...target(values), verificationCode, ...password });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
      toast(t("security.bound"), "good");
    } catch (error) {
      if (takeFieldErrors(error, names, setError)) return;
      if (isApiError(error, "member.wrong_password")) {
        const message = "error.wrong_password";
        setError("password", { type: "server", message }, { shouldFocus: true });
      } else setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-6">
      <DialogTitle>
        {t(what === "email" ? "security.bind_email" : "security.bind_mobile")}
      </DialogTitle>
      <p className="text-muted">{t("security.bind_text")}</p>
      <FormAlert text={failure} />
      {what === "email" ? (
        <Field
          {...autofocus}
          label={t("field.email")}
          type="email"
          autoComplete="email"
          error={fault("email")}
          {...register("email")}
        />
      ) : (
        <MobileField
          countries={countries}
          error={fault("mobileNum")}
          number={{ ...register("mobileNum"), ...autofocus }}
          dial={register("countryDialingCode")}
        />
      )}
      <CodeField
        error={fault("verificationCode")}
        sender={{ isReady, onSend }}
        {...register("verificationCode")}
      />
      {exists && (
        <PasswordField
          label={t("security.login_password")}
          autoComplete="current-password"
          error={fault("password")}
          {...register("password")}
        />
      )}
      <HumanNote busy={sending} />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.bind")}
      </Button>
    </form>
  );
}
