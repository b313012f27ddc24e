import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CodeField } from "@/ui/code-field";
import { CheckField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { MobileField } from "@/ui/mobile-field";
import { loginBySms } from "../api-login";
import { checkFields, code, mobile } from "../checks";
import { useCountries } from "../countries";
import { useEnter } from "../enter";
import { forget, fulfilWish, mayRemember, recall, wishToRemember } from "../remember";
import { door } from "../sign-in";
import { useSms } from "../sms";

type Values = {
  mobileNum: string;
  countryDialingCode: string;
  verificationCode: string;
  remember: boolean;
};
const names = ["mobileNum", "verificationCode"] as const;

export function SmsLoginForm({ next, close }: { next: string | undefined; close: () => void }) {
  const t = useT();
  const enter = useEnter();
  const { countries, usual } = useCountries();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: byFaults(checkFields<Values>({ mobileNum: mobile, verificationCode: code })),
    defaultValues: {
      mobileNum: "",
      countryDialingCode: usual,
      verificationCode: "",
      remember: false,
    },
  });
  const { register, handleSubmit, formState, setError, setValue, getValues } = form;
  useEffect(() => {
    const fill = async () => {
      const kept = await recall();
      if (!kept?.mobileNum || getValues("mobileNum") !== "") return;
      setValue("mobileNum", kept.mobileNum);
      setValue("countryDialingCode", kept.countryDialingCode ?? usual);
      setValue("remember", true);
    };
    void fill();
  }, [setValue, getValues, usual]);
  const sendCode = useSms("noLogin", form);
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const submit = handleSubmit(async ({ remember: keep, countryDialingCode, ...typed }) => {
    setFailure(null);
    try {
      const mobileNum = typed.mobileNum.trim();
      const verificationCode = typed.verificationCode.trim();
      const view = await loginBySms({
        mobileNum,
        countryDialingCode,
        verificationCode,
        ...door(),
      });
      await wishToRemember(keep ? { mobileNum, countryDialingCode } : null);
      await enter("sms", view, { next });
      if (view.token) await fulfilWish();
      close();
    } catch (error) {
      if (!takeFieldErrors(error, names, setError)) setFailure(errorText(error, t));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <FormAlert text={failure} />
      <MobileField
        countries={countries}
        error={fault("mobileNum")}
        number={register("mobileNum")}
        dial={register("countryDialingCode")}
      />
      <CodeField
        error={fault("verificationCode")}
        onSend={sendCode}
        {...register("verificationCode")}
      />
      {mayRemember() && (
        <CheckField
          label={t("auth.remember_number")}
          {...register("remember", {
            onChange: (event: { target: { checked: boolean } }) => {
              if (!event.target.checked) void forget();
            },
          })}
        />
      )}
      <Button type="submit" variant="main" busy={formState.isSubmitting} className="w-full">
        {t("auth.login")}
      </Button>
    </form>
  );
}
