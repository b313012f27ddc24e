import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import type { CodeSender } from "@/ui/code-field";
import { type SmsPurpose, sendSms } from "./api-login";
import { withProof } from "./sign-in";

/** Seconds until another code may be sent. */
export function pauseAfter(expiredMinutes: number): number {
  return 60 * Math.max(1, expiredMinutes);
}

type NumberForm<T extends FieldValues> = Pick<UseFormReturn<T>, "trigger" | "getValues">;

/** Sends codes to the number of a form, once the number is good. A failure is told in a dialog. */
export function useSms<T extends FieldValues>(
  purpose: SmsPurpose,
  form: NumberForm<T>,
): CodeSender {
  const t = useT();
  const number = "mobileNum" as Path<T>;
  const isReady = () => form.trigger(number, { shouldFocus: true });
  const onSend = async () => {
    const mobileNum = String(form.getValues(number)).trim();
    const countryDialingCode = String(form.getValues("countryDialingCode" as Path<T>));
    try {
      const minutes = await withProof((human) =>
        sendSms(purpose, { mobileNum, countryDialingCode }, human),
      );
      return pauseAfter(minutes);
    } catch (error) {
      warn("error.unexpected", errorText(error, t));
      return isApiError(error, "verification.quota") ? pauseAfter(1) : null;
    }
  };
  return { isReady, onSend };
}
