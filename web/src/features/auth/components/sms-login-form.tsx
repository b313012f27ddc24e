import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { CodeField } from "@/ui/code-field";
import { CheckField } from "@/ui/field";
import { FormAlert } from "@/ui/form-alert";
import { MobileField } from "@/ui/mobile-field";
import type { LoginAnswer } from "../api";
import { type Mobile, loginByPhone, loginBySms } from "../api-login";
import { checkFields, code, codeRefusals, mobile } from "../checks";
import { useCountries } from "../countries";
import { useEnter } from "../use-enter";
import { usePhoneProof } from "../phone-proof";
import { forget, forgetUnticked, mayRemember, recallNumber } from "../remembering";
import { door } from "../sign-in";
import { useSms } from "../sms";
import { HumanNote } from "./human-note";

type Values = Mobile & { verificationCode: string; remember: boolean };
const names = ["mobileNum", "verificationCode"] as const;

type Props = {
  next: string | undefined;
  close: () => void;
  /** Nobody has chosen it: the popup opens with it, and says why it does. */
  isFirst?: boolean;
  refusal?: string | undefined;
};

/** By a code to the phone; where the merchant has a phone service, that service proves the number instead. */
export default function SmsLoginForm({ next, close, isFirst = false, refusal }: Props) {
  const t = useT();
  const enter = useEnter();
  const { countries, usual, isWhole } = useCountries();
  const [failure, setFailure] = useState((isFirst && refusal) || null);
  const byService = getBoot().phoneService !== null;
  const form = useForm<Values>({
    resolver: byFaults(
      checkFields<Values>({ mobileNum: mobile, ...(!byService && { verificationCode: code }) }),
    ),
    defaultValues: {
      mobileNum: "",
      countryDialingCode: usual,
      verificationCode: "",
      remember: false,
    },
  });
  const { register, handleSubmit, formState, setError, setValue, getValues } = form;
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A page leaves the focus where it is.
    const form = ref.current;
    if (isFirst && form?.closest("dialog")) {
      form.querySelector<HTMLElement>("[name=mobileNum]")?.focus();
    }
  }, [isFirst]);
  useEffect(() => {
    const fill = async () => {
      const kept = await recallNumber();
      if (!kept || getValues("mobileNum") !== "") return;
      setValue("mobileNum", kept.mobileNum);
      setValue("countryDialingCode", kept.countryDialingCode);
      setValue("remember", true);
    };
    // A country can be chosen once it is in the list.
    if (isWhole) void fill();
  }, [setValue, getValues, isWhole]);
  const sender = useSms("noLogin", form);
  const fault = (name: keyof Values) => {
    const message = formState.errors[name]?.message;
    return message && t(message as Key);
  };
  const takeIn = async (send: () => Promise<LoginAnswer>) => {
    setFailure(null);
    try {
      const view = await send();
      const { mobileNum, countryDialingCode, remember } = getValues();
      const what = { mobileNum: mobileNum.trim(), countryDialingCode };
      if (!remember) await forgetUnticked("number");
      await enter("sms", view, { next, ...(remember && { remember: { part: "number", what } }) });
      close();
    } catch (error) {
      if (takeFieldErrors(error, names, setError)) return;
      if (!takeRefusal(error, codeRefusals, setError)) setFailure(errorText(error, t));
    }
  };
  const proof = usePhoneProof((idToken) => void takeIn(() => loginByPhone({ idToken, ...door() })));
  const submit = handleSubmit(({ mobileNum, countryDialingCode, verificationCode }) => {
    const number = { mobileNum: mobileNum.trim(), countryDialingCode };
    if (byService) return proof.prove(number);
    const typed = { ...number, verificationCode: verificationCode.trim() };
    return takeIn(() => loginBySms({ ...typed, ...door() }));
  });
  const resting = byService && proof.left > 0 && !proof.waiting;
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid grid-cols-1 gap-4"
    >
      <MobileField
        countries={countries}
        error={fault("mobileNum")}
        number={register("mobileNum")}
        dial={register("countryDialingCode")}
      />
      {!byService && (
        <CodeField
          error={fault("verificationCode")}
          sender={sender}
          {...register("verificationCode")}
        />
      )}
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
      <Button
        type="submit"
        variant="main"
        busy={formState.isSubmitting || proof.waiting}
        disabled={resting}
        className="w-full"
      >
        {resting ? t("code.again_in", proof.left) : t(byService ? "phone.login" : "auth.login")}
      </Button>
      <div className="outcome">
        <FormAlert text={proof.failure ? t(proof.failure) : failure} />
        {byService ? (
          <p role="status" className="text-sm text-muted">
            {t(proof.waiting ? "social.waiting" : "phone.hint")}
          </p>
        ) : (
          <HumanNote busy={formState.isSubmitting} proves={false} />
        )}
      </div>
    </form>
  );
}
