import { type FailureCode, isApiError } from "@/lib/api/error";
import { errorKey } from "@/lib/api/error-text";
import type { Key } from "@/lib/i18n/i18n";
import { codeRefusals } from "./checks";
import type { TextField } from "./rules";
import type { Way } from "./ways";

const taken: Partial<Record<FailureCode, TextField>> = {
  ...codeRefusals,
  "member.name_taken": "username",
  "member.mobile_taken": "mobileNum",
  "member.email_taken": "email",
  "session.phone_unverified": "idToken",
  "session.captcha": "captcha",
};

/** The field that a refusal is about, where it is about one. */
export function takenField(error: unknown, way: Way): { name: TextField; text: Key } | null {
  const name = isApiError(error) && taken[error.code];
  if (!name) return null;
  // By mobile number the name is the number.
  if (name === "username" && way === "mobile") {
    return { name: "mobileNum", text: "error.mobile_taken" };
  }
  return { name, text: errorKey(error) };
}
