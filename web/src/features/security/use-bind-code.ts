import { useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useCodes, watchNumber } from "@/features/auth/sms";
import { sendBindCode } from "./api";
import type { ContactKind } from "./model";

/** What stands in the form that binds a contact. */
export type BindValues = {
  mobileNum: string;
  countryDialingCode: string;
  email: string;
  verificationCode: string;
  password: string;
  twoFactorCode: string;
};

/** What is to be bound, as the server takes it. */
export function targetOf(what: ContactKind, values: BindValues) {
  const { countryDialingCode } = values;
  return what === "email"
    ? { email: values.email.trim() }
    : { mobileNum: values.mobileNum.trim(), countryDialingCode };
}

/** Sends codes to what stands in the form. */
export function useBindCode(what: ContactKind, form: UseFormReturn<BindValues>) {
  const { trigger, getValues, watch } = form;
  const [sending, setSending] = useState(false);
  const codes = useCodes(
    () => trigger(what === "email" ? "email" : "mobileNum", { shouldFocus: true }),
    (human) => sendBindCode(targetOf(what, getValues()), human),
    watchNumber(form) + watch("email").trim(),
  );
  const onSend = () => {
    setSending(true);
    return codes.onSend().finally(() => setSending(false));
  };
  return { sender: { ...codes, onSend }, sending };
}
