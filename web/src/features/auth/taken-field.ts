import { type FailureCode, isApiError } from "@/lib/api/error";
import type { Key } from "@/lib/i18n/i18n";
import type { TextField } from "./rules";
import type { Way } from "./ways";

const taken = {
  "member.name_taken": { name: "username", text: "field.taken" },
  "member.mobile_taken": { name: "mobileNum", text: "error.mobile_taken" },
  "member.email_taken": { name: "email", text: "error.email_taken" },
  "verification.code_invalid": { name: "verificationCode", text: "error.code_invalid" },
  "verification.code_expired": { name: "verificationCode", text: "error.code_expired" },
  "session.phone_unverified": { name: "idToken", text: "error.phone_unverified" },
  "verification.phone_invalid": { name: "mobileNum", text: "error.phone_invalid" },
  "session.captcha": { name: "captcha", text: "error.captcha" },
} as const satisfies Partial<Record<FailureCode, { name: TextField; text: Key }>>;

/** The field that a refusal is about, where it is about one. */
export function takenField(error: unknown, way: Way): { name: TextField; text: Key } | null {
  if (!isApiError(error)) return null;
  const found = Object.entries(taken).find(([code]) => code === error.code)?.[1] ?? null;
  // By mobile number the name is the number.
  if (found?.name === "username" && way === "mobile") {
    return { name: "mobileNum", text: "error.mobile_taken" };
  }
  return found;
}
