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

/** Has codes sent to what stands in a form, once that is good. A failure is told in a dialog. */
export function useCodes(
  isReady: CodeSender["isReady"],
  /** Resolves to the minutes that the code lives. */
  send: (human: string | undefined) => Promise<number>,
): CodeSender {
  const t = useT();
  const onSend = async () => {
    try {
      return { isSent: true, rest: pauseAfter(await withProof(send)) };
    } catch (error) {
      warn("error.unexpected", errorText(error, t));
      return { isSent: false, rest: isApiError(error, "verification.quota") ? pauseAfter(1) : 0 };
    }
  };
  return { isReady, onSend };
}

type NumberForm<T extends FieldValues> = Pick<UseFormReturn<T>, "trigger" | "getValues">;

/** Sends codes to the number of a form. */
export function useSms<T extends FieldValues>(
  purpose: SmsPurpose,
  { trigger, getValues }: NumberForm<T>,
): CodeSender {
  const number = "mobileNum" as Path<T>;
  return useCodes(
    () => trigger(number, { shouldFocus: true }),
    (human) => {
      const mobileNum = String(getValues(number)).trim();
      const countryDialingCode = String(getValues("countryDialingCode" as Path<T>));
      return sendSms(purpose, { mobileNum, countryDialingCode }, human);
    },
  );
}
