import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { registerRulesQuery } from "@/features/auth/api-login";
import { checkFields, checkRepeated, required } from "@/features/auth/checks";
import { rangeText, shapeFault } from "@/features/auth/rules";
import { errorText } from "@/lib/api/error-text";
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
};
const fields = [
  { name: "password", label: "security.login_password" },
  { name: "oldPaymentPassword", label: "security.old_payment_password" },
  { name: "paymentPassword", label: "security.new_payment_password" },
  { name: "confirmPaymentPassword", label: "security.confirm_payment_password" },
] as const satisfies readonly { name: keyof Values; label: Key }[];

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

function PaymentPasswordForm({ exists, close }: Props) {
  const t = useT();
  const client = useQueryClient();
  const { data } = useQuery(registerRulesQuery);
  const shape = data?.rules["paymentPassword"] ?? usual;
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => ({
      ...checkFields<Values>({
        password: required,
        ...(exists && { oldPaymentPassword: required }),
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
    },
  });
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key, rangeText(shape, t));
  };
  const submit = handleSubmit(async ({ oldPaymentPassword, ...values }) => {
    setFailure(null);
    try {
      await setPaymentPassword({
        password: values.password.trim(),
        paymentPassword: values.paymentPassword.trim(),
        confirmPaymentPassword: values.confirmPaymentPassword.trim(),
        ...(exists && { oldPaymentPassword: oldPaymentPassword.trim() }),
      });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
      toast(t("security.payment_password_set"), "good");
    } catch (error) {
      const known = fields.map(({ name }) => name);
      if (takeFieldErrors(error, known, setError)) return;
      const isSaid = takeRefusal(error, { "member.wrong_password": "password" }, setError);
      if (!isSaid) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p className="text-muted">{t("security.payment_password_text", rangeText(shape, t))}</p>
      <FormAlert text={failure} />
      {fields
        .filter(({ name }) => exists || name !== "oldPaymentPassword")
        .map(({ name, label }, index) => (
          <PasswordField
            key={name}
            {...(index === 0 && { "data-autofocus": true })}
            label={t(label)}
            autoComplete={name === "password" ? "current-password" : "off"}
            inputMode={name !== "password" && shape.patternId === "digits" ? "numeric" : "text"}
            error={fault(name)}
            {...register(name)}
          />
        ))}
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("security.save")}
      </Button>
    </form>
  );
}
