import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { registerRulesQuery } from "@/features/auth/api-login";
import { checkFields, checkRepeated, required } from "@/features/auth/checks";
import { FactorField } from "@/features/auth/components/factor-field";
import { patternText, rangeText, shapeFault } from "@/features/auth/rules";
import { stepUpFault } from "@/features/auth/step-up";
import { factorCode, factorRefusals, useFactor } from "@/features/auth/use-factor";
import { isApiError } from "@/lib/api/error";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { setPaymentPassword } from "../api";
import { PasswordGate } from "./password-gate";

type Values = {
  password: string;
  oldPaymentPassword: string;
  paymentPassword: string;
  confirmPaymentPassword: string;
  twoFactorCode: string;
};
const fields = [
  { name: "password", label: "security.login_password" },
  { name: "oldPaymentPassword", label: "security.old_payment_password" },
  { name: "paymentPassword", label: "security.new_payment_password" },
  { name: "confirmPaymentPassword", label: "security.confirm_payment_password" },
] as const satisfies readonly { name: keyof Values; label: Key }[];

/** Which field the server's refusals are about. */
const refusals = {
  "member.wrong_password": "password",
  "member.wrong_payment_password": "oldPaymentPassword",
  ...factorRefusals,
} as const;

const usual = { minLength: 6, maxLength: 6, patternId: "digits" };

type Props = { exists: boolean; close: () => void };

/** Sets or changes the password of withdrawals and redemptions. */
export default function PaymentPasswordPopup(props: Props) {
  const t = useT();
  return (
    <div className="grid gap-4 p-6">
      <DialogTitle>{t("security.payment_password")}</DialogTitle>
      <PasswordGate close={props.close}>
        <PaymentPasswordForm {...props} />
      </PasswordGate>
    </div>
  );
}

/** Whether the server found a transaction password that was not shown, or another one. */
function isAboutOld(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { code, fields } = error;
  return code === "member.wrong_payment_password" || fields["oldPaymentPassword"] !== undefined;
}

function PaymentPasswordForm({ exists: wasThere, close }: Props) {
  const t = useT();
  const client = useQueryClient();
  // It may have been set in another window since.
  const [exists, setExists] = useState(wasThere);
  const { data } = useQuery(registerRulesQuery);
  const shape = data?.rules["paymentPassword"] ?? usual;
  // As it is said where it is wrong.
  const words = shape.patternId === "any" ? "field.too_short" : patternText(shape.patternId);
  const factor = useFactor();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => ({
      ...checkFields<Values>({
        password: required,
        ...(exists && { oldPaymentPassword: required }),
        ...(factor.asks && { twoFactorCode: required }),
      })(values),
      ...checkRepeated("paymentPassword", "confirmPaymentPassword", (text) =>
        shapeFault(shape, text),
      )(values),
    })),
    defaultValues: {
      password: "",
      oldPaymentPassword: "",
      paymentPassword: "",
      confirmPaymentPassword: "",
      twoFactorCode: "",
    },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key, rangeText(shape, t));
  };
  const explain = (error: unknown) => {
    if (isAboutOld(error)) setExists(true);
    factor.learn(error);
    const known = fields.map(({ name }) => name);
    if (takeFieldErrors(error, known, setError)) return;
    if (!takeRefusal(error, refusals, setError)) setFailure(t(stepUpFault(error)));
  };
  const submit = handleSubmit(async ({ oldPaymentPassword, twoFactorCode, ...values }) => {
    setFailure(null);
    try {
      await setPaymentPassword({
        password: values.password.trim(),
        paymentPassword: values.paymentPassword.trim(),
        confirmPaymentPassword: values.confirmPaymentPassword.trim(),
        ...(exists && { oldPaymentPassword: oldPaymentPassword.trim() }),
        ...factorCode(factor.asks, twoFactorCode),
      });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
      toast(t("security.payment_password_set"), "good");
    } catch (error) {
      explain(error);
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">
        {t("security.payment_password_text")} {t(words, rangeText(shape, t))}
      </p>
      <FormAlert text={failure} />
      {fields
        .filter(({ name }) => exists || name !== "oldPaymentPassword")
        .map(({ name, label }, index) => (
          <PasswordField
            key={name}
            {...(index === 0 && { "data-autofocus": true })}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it comes because the member has sent the form without it
            autoFocus={name === "oldPaymentPassword" && !wasThere}
            label={t(label)}
            autoComplete={name === "password" ? "current-password" : "off"}
            inputMode={name !== "password" && shape.patternId === "digits" ? "numeric" : "text"}
            error={fault(name)}
            {...register(name)}
          />
        ))}
      {factor.asks && (
        <FactorField
          isLate={factor.isLate}
          error={fault("twoFactorCode")}
          {...register("twoFactorCode")}
        />
      )}
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.save")}
      </Button>
    </form>
  );
}
