import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CodeField } from "@/ui/code-field";
import { PasswordField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { MobileField } from "@/ui/mobile-field";
import { toast } from "@/ui/toast";
import { recoverByMobile } from "../api-recovery";
import { checkFields, code, codeRefusals, mobile } from "../checks";
import { useCountries } from "../countries";
import { useEnter } from "../use-enter";
import { usePasswordRule } from "../field-rules";
import { useSms } from "../sms";

type Values = {
  mobileNum: string;
  countryDialingCode: string;
  verificationCode: string;
  newPassword: string;
};
const names = ["mobileNum", "verificationCode", "newPassword"] as const;

/** A code to the phone and a new password; then the member is in. */
export function ForgotMobileForm({ close }: { close: () => void }) {
  const t = useT();
  const enter = useEnter("anyway");
  const rule = usePasswordRule();
  const { countries, usual } = useCountries();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: byFaults(
      checkFields<Values>({ mobileNum: mobile, verificationCode: code, newPassword: rule.check }),
    ),
    defaultValues: {
      mobileNum: "",
      countryDialingCode: usual,
      verificationCode: "",
      newPassword: "",
    },
  });
  const { register, handleSubmit, formState, setError } = form;
  const sender = useSms("recovery", form);
  const fault = (name: keyof Values) => rule.say(formState.errors[name]?.message);
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      const mobileNum = values.mobileNum.trim();
      const verificationCode = values.verificationCode.trim();
      const newPassword = values.newPassword.trim();
      const view = await recoverByMobile({ ...values, mobileNum, verificationCode, newPassword });
      await enter("recovery", view);
      close();
      // Who has two-factor login is not in yet, and sees nothing else of it.
      toast(t("password.changed"), "good");
    } catch (error) {
      if (takeFieldErrors(error, names, setError)) return;
      if (!takeRefusal(error, codeRefusals, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <p className="text-muted">{t("forgot.mobile_text")}</p>
      <FormAlert text={failure} />
      <MobileField
        countries={countries}
        error={fault("mobileNum")}
        number={register("mobileNum")}
        dial={register("countryDialingCode")}
      />
      <CodeField
        error={fault("verificationCode")}
        sender={sender}
        {...register("verificationCode")}
      />
      <PasswordField
        label={t("field.new_password")}
        autoComplete="new-password"
        hint={rule.hint}
        error={fault("newPassword")}
        {...register("newPassword")}
      />
      <Button type="submit" variant="main" busy={formState.isSubmitting}>
        {t("forgot.set_password")}
      </Button>
    </form>
  );
}
