import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { isApiError } from "@/lib/api/client";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { warn } from "@/lib/popup/popup";
import type { CodeSender } from "@/ui/code-field";
import { type SmsPurpose, sendSms } from "./api-login";
import { withoutGaps } from "./checks";
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
  to: string,
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
  return { isReady, onSend, to };
}

type NumberForm<T extends FieldValues> = Pick<UseFormReturn<T>, "trigger" | "getValues" | "watch">;

/** The number of a form, however its digits are grouped. */
export function watchNumber<T extends FieldValues>({
  watch,
}: Pick<UseFormReturn<T>, "watch">): string {
  const parts: unknown[] = watch(["countryDialingCode", "mobileNum"] as Path<T>[]);
  return withoutGaps(parts.join("/"));
}

/** Sends codes to the number of a form. */
export function useSms<T extends FieldValues>(
  purpose: SmsPurpose,
  form: NumberForm<T>,
): CodeSender {
  const number = "mobileNum" as Path<T>;
  return useCodes(
    () => form.trigger(number, { shouldFocus: true }),
    (human) => {
      const mobileNum = String(form.getValues(number)).trim();
      const countryDialingCode = String(form.getValues("countryDialingCode" as Path<T>));
      return sendSms(purpose, { mobileNum, countryDialingCode }, human);
    },
    watchNumber(form),
  );
}
