import { useState } from "react";
import { useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import { todayIn } from "@/lib/time";
import { Button } from "@/ui/button";
import { useLateFocus } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { type RegisterRules, checkInvitation } from "../api-login";
import { useCountries } from "../countries";
import { useEnter } from "../use-enter";
import type { Invitation } from "../invitation";
import { type FormTerms, type RegisterValues, checkForm, emptyForm } from "../rules";
import { patternText, rangeText, shownFields, textFields, textOf } from "../rules";
import { sendRegistration, takenField } from "../registration";
import { useSms } from "../sms";
import { useCaptcha } from "./captcha-field";
import { HumanNote } from "./human-note";
import { RegisterFields } from "./register-fields";
import { RegisterTicks } from "./register-ticks";

type Props = {
  rules: RegisterRules;
  terms: FormTerms;
  invited: Invitation;
  next: string | undefined;
  close: () => void;
};

export function RegisterForm({ rules, terms, invited, next, close }: Props) {
  const t = useT();
  const enter = useEnter();
  const { countries, usual } = useCountries();
  const [failure, setFailure] = useState<string | null>(null);
  const fields = shownFields(rules, terms);
  const shows = (name: string) => fields.some((field) => field.name === name);
  const captcha = useCaptcha(shows("captcha"));
  const form = useForm<RegisterValues>({
    resolver: byFaults((values) => {
      const today = todayIn(getBoot().merchant.timeZone);
      return checkForm(values, fields, terms, today);
    }),
    defaultValues: emptyForm(usual),
  });
  const ref = useLateFocus<HTMLFormElement>();
  const { handleSubmit, formState, setError, reset, resetField, setValue } = form;
  const sender = useSms("register", form);
  const fault = (name: keyof RegisterValues) => {
    const message = formState.errors[name]?.message;
    if (!message) return undefined;
    const shape = fields.find((field) => field.name === name)?.shape;
    if (name === "birthday" || name === "ofAge") return t(message as Key, terms.minimumAge);
    return shape ? t(message as Key, rangeText(shape, t)) : t(message as Key);
  };
  const explain = (error: unknown) => {
    if (shows("captcha")) {
      resetField("captcha");
      captcha.refresh();
    }
    const word = (name: string, code: string) => {
      const shape = fields.find((field) => field.name === name)?.shape;
      return code === "pattern" && shape ? patternText(shape.patternId) : undefined;
    };
    const known = [...textFields, "adult", "terms", "ofAge"] as const;
    if (takeFieldErrors(error, known, setError, word)) return;
    // A proof is good once, for some minutes.
    if (isApiError(error, "session.phone_unverified")) setValue("idToken", "");
    const taken = takenField(error, terms.way);
    if (taken) setError(taken.name, { type: "server", message: taken.text }, { shouldFocus: true });
    else if (isApiError(error, "member.invitation_code")) warn("invitation_code_error");
    else setFailure(errorText(error, t));
  };
  const submit = handleSubmit(async (values) => {
    setFailure(null);
    try {
      const typed = fields.map((field) => [field.name, textOf(values, field)] as const);
      const code = typed.find(([name]) => name === "affiliateCode")?.[1];
      if (code) await checkInvitation(code);
      const view = await sendRegistration(terms.way, typed, values, invited);
      await enter("register", view, { next });
      close();
    } catch (error) {
      explain(error);
    }
  });
  const clear = () => {
    reset(emptyForm(usual));
    setFailure(null);
  };
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid grid-cols-1 gap-4"
    >
      <FormAlert text={failure} />
      <RegisterFields
        fields={fields}
        form={form}
        fault={fault}
        countries={countries}
        captcha={captcha}
        sender={sender}
      />
      <RegisterTicks
        form={form}
        fault={fault}
        minimumAge={shows("birthday") ? terms.minimumAge : null}
      />
      <div className="flex gap-3">
        <Button onClick={clear}>{t("auth.reset")}</Button>
        <Button type="submit" variant="main" busy={formState.isSubmitting} className="grow">
          {t("auth.register")}
        </Button>
      </div>
      <HumanNote busy={formState.isSubmitting} />
    </form>
  );
}
