import { isApiError } from "@/lib/api/error";
import { errorKey } from "@/lib/api/error-text";
import type { Key } from "@/lib/i18n/i18n";

/** Why a captcha is asked for from now on. Nobody has answered one wrongly that was not shown. */
export function whyCaptcha(error: unknown): Key {
  return isApiError(error, "session.captcha") ? "captcha.also" : errorKey(error);
}
