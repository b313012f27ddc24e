import type { FailureCode } from "@/lib/api/error";

/** Which field of a form with a code is wrong. */
export const codeRefusals = {
  "verification.code_missing": "verificationCode",
  "verification.code_invalid": "verificationCode",
  "verification.code_expired": "verificationCode",
  "verification.phone_missing": "mobileNum",
  "verification.phone_invalid": "mobileNum",
} as const satisfies Partial<Record<FailureCode, string>>;
