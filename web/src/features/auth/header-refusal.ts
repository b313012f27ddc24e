import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { t } from "@/lib/i18n/i18n";
import { openPopup, warn } from "@/lib/popup/popup";
import { whyCaptcha } from "./captcha-words";
import type { Refusal } from "./log-in";

/**
 * Tells why the box in the header let nobody in; null: something was left empty. Where a captcha is asked for from now
 * on, the popup goes on with what was typed.
 */
export function explainInHeader(refusal: Refusal | null, leadsTo: { next?: string }): void {
  if (refusal === null) return warn("in_incorrect_password");
  const { error, asksCaptcha, typed } = refusal;
  const goOn = (why?: string) =>
    openPopup("login", { ...leadsTo, typed, captcha: true, ...(why && { refusal: why }) });
  if (isApiError(error, "session.wrong_credentials")) {
    warn("in_incorrect_password", undefined, asksCaptcha ? () => void goOn() : undefined);
  } else if (asksCaptcha) goOn(t(whyCaptcha(error)));
  else warn("in_incorrect_password", errorText(error, t));
}
