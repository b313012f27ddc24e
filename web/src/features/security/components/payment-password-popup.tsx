import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { memberQuery } from "@/features/auth/api";
import { registerRulesQuery } from "@/features/auth/api-login";
import { checkFields, checkRepeated, secret } from "@/features/auth/checks";
import { rangeText, shapeFault } from "@/features/auth/rules";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { toast } from "@/ui/toast";
import { setPaymentPassword } from "../api";

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

/** Sets or changes the password of withdrawals and redemptions. */
export default function PaymentPasswordPopup(props: { exists: boolean; close: () => void }) {
  const { exists, close } = props;
  const t = useT();
  const client = useQueryClient();
  const { data } = useQuery(registerRulesQuery);
  const shape = data?.rules["paymentPassword"] ?? usual;
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    resolver: byFaults((values) => ({
      ...checkFields<Values>({
        password: secret,
        ...(exists && { oldPaymentPassword: secret }),
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
      await setPaymentPassword({ ...values, ...(exists && { oldPaymentPassword }) });
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
      toast(t("security.payment_password_set"), "good");
    } catch (error) {
      const known = fields.map(({ name }) => name);
      if (takeFieldErrors(error, known, setError)) return;
      if (isApiError(error, "member.wrong_password")) {
        const message = "error.wrong_password";
        setError("password", { type: "server", message }, { shouldFocus: true });
      } else setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-6">
      <DialogTitle>{t("security.payment_password")}</DialogTitle>
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
