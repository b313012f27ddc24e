import { type BaseSyntheticEvent, type ReactNode, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { getBoot } from "@/lib/boot/boot";
import { byFaults, takeFieldErrors } from "@/lib/form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import { todayIn } from "@/lib/time";
import type { CodeSender } from "@/ui/code-field";
import { useLateFocus } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import type { Country } from "../api-login";
import { contactText } from "../checks";
import { useCountries } from "../countries";
import {
  type RegisterValues,
  type ShownField,
  checkForm,
  emptyForm,
  patternText,
  rangeText,
  shapeText,
} from "../rules";
import { useSms } from "../sms";
import { takenField } from "../taken-field";
import { type Captcha, useCaptcha } from "../use-captcha";
import type { Way } from "../ways";
import type { Fault } from "./plain-field";
import { RegisterFields } from "./register-fields";
import { RegisterTicks } from "./register-ticks";

type Send = (values: RegisterValues) => Promise<void>;

type Terms = { fields: readonly ShownField[]; way: Way; minimumAge: number };

type Ruled = Terms & {
  form: UseFormReturn<RegisterValues>;
  fault: Fault;
  countries: readonly Country[];
  captcha: Captcha;
  sender: CodeSender;
  /** What went wrong and is about no field. */
  failure: string | null;
  /** Sends what was typed, and explains at its place what is refused. */
  submitting: (send: Send) => (event: BaseSyntheticEvent) => Promise<void>;
  clear: () => void;
};

/** The form of registering and of completing a registration: the merchant's fields, and the words for what is wrong with them. */
export function useRuledForm({ fields, way, minimumAge }: Terms): Ruled {
  const t = useT();
  const { countries, usual } = useCountries();
  const [failure, setFailure] = useState<string | null>(null);
  const shapeOf = (name: string) => fields.find((field) => field.name === name)?.shape;
  const hasCaptcha = shapeOf("captcha") !== undefined;
  const captcha = useCaptcha(hasCaptcha);
  const form = useForm<RegisterValues>({
    resolver: byFaults((values) =>
      checkForm(values, fields, { minimumAge }, todayIn(getBoot().merchant.timeZone)),
    ),
    defaultValues: emptyForm(usual, minimumAge),
  });
  const { handleSubmit, formState, setError, reset, resetField, setValue } = form;
  const sender = useSms("register", form);
  const fault = (name: keyof RegisterValues) => {
    const message = formState.errors[name]?.message as Key | undefined;
    const shape = shapeOf(name);
    if (!message || !shape || name === "birthday") return message && t(message, minimumAge);
    const text = t(message, rangeText(shape, t));
    const isName = name === "payeeName" && message === patternText(shape.patternId);
    return isName ? t("field.payee_name_invalid", text) : text;
  };
  const explain = (error: unknown) => {
    if (hasCaptcha) {
      resetField("captcha");
      captcha.refresh();
    }
    if (isApiError(error, "member.invitation_code")) return warn("invitation_code_error");
    // A proof is good once, for some minutes.
    if (isApiError(error, "session.phone_unverified")) setValue("idToken", "");
    const word = (name: string, code: string) => {
      const shape = shapeOf(name);
      return contactText(name, code) ?? (shape && shapeText(shape, code));
    };
    // What is said at a field that the form does not have, nobody sees.
    const shown = [...fields.map(({ name }) => name), "adult", "terms", "ofAge"] as const;
    if (takeFieldErrors(error, shown, setError, word)) return;
    const taken = takenField(error, way);
    if (taken && shapeOf(taken.name)) {
      setError(taken.name, { type: "server", message: taken.text }, { shouldFocus: true });
    } else setFailure(errorText(error, t));
  };
  const submitting = (send: Send) =>
    handleSubmit(async (values) => {
      setFailure(null);
      await send(values).catch(explain);
    });
  const clear = () => {
    reset(emptyForm(usual, minimumAge));
    setFailure(null);
  };
  return {
    way,
    fields,
    minimumAge,
    form,
    fault,
    countries,
    captcha,
    sender,
    failure,
    submitting,
    clear,
  };
}

type RuledFormProps = {
  ruled: Ruled;
  send: Send;
  children: ReactNode;
};

export function RuledForm({ ruled, send, children }: RuledFormProps) {
  const ref = useLateFocus<HTMLFormElement>();
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={(event) => void ruled.submitting(send)(event)}
      className="grid grid-cols-1 gap-4"
    >
      <FormAlert text={ruled.failure} />
      <RegisterFields {...ruled} />
      <RegisterTicks {...ruled} />
      {children}
    </form>
  );
}
