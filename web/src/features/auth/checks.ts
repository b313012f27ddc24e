import type { FailureCode } from "@/lib/api/error";
import type { Key } from "@/lib/i18n/i18n";
import { fits } from "@/lib/patterns/patterns";

/** What is wrong with a field's text: the key of a sentence, or null. */
export type Check = (text: string) => Key | null;

type Checks<T> = { readonly [K in keyof T]?: Check };

/** Checks a form field by field. What has no check is not looked at. */
export function checkFields<T extends object>(checks: Checks<T>) {
  return (form: T): Partial<Record<keyof T, Key>> => {
    const faults: Partial<Record<keyof T, Key>> = {};
    for (const name of Object.keys(checks) as (keyof T)[]) {
      const fault = checks[name]?.(String(form[name]));
      if (fault) faults[name] = fault;
    }
    return faults;
  };
}

/** Something has to stand there; spaces are nothing, around a password neither. */
export const required: Check = (text) => (text.trim() === "" ? "field.required" : null);

export const code: Check = (text) => (text.trim() === "" ? "error.code_missing" : null);

export const mobile: Check = (text) => {
  if (text.trim() === "") return "error.phone_missing";
  return looksLikeMobile(text) ? null : "field.phone_invalid";
};

export const email: Check = (text) =>
  required(text) ?? (fits("email", text.trim()) ? null : "field.email_invalid");

/** A number without what people write between its digits; the server takes out the same. */
export function withoutGaps(text: string): string {
  return text.trim().replaceAll(/[ ().-]/g, "");
}

/**
 * Digits as people group them, after a `+` where they begin with the country's code; the server knows what is a number
 * in which country.
 */
export function looksLikeMobile(text: string): boolean {
  const digits = withoutGaps(text).replace(/^\+/, "");
  return fits("mobile", digits) && digits.length >= 6 && digits.length <= 15;
}

const contactTexts: Readonly<Record<string, Key>> = {
  "email.taken": "error.email_taken",
  "mobileNum.taken": "error.mobile_taken",
  "mobileNum.invalid": "field.phone_invalid",
  // The phone service has vouched for another number.
  "mobileNum.mismatch": "error.phone_unverified",
};

/** What the server finds wrong with a contact, where that has words of its own. */
export function contactText(name: string, code: string): Key | undefined {
  return contactTexts[`${name}.${code}`];
}

/** Which field of a form with a code is wrong. */
export const codeRefusals = {
  "verification.code_missing": "verificationCode",
  "verification.code_invalid": "verificationCode",
  "verification.code_expired": "verificationCode",
  "verification.phone_missing": "mobileNum",
  "verification.phone_invalid": "mobileNum",
} as const satisfies Partial<Record<FailureCode, string>>;

type Repeated<N extends string, A extends string> = { [K in N | A]: string };

/** A new secret under its rule, and the same once more. Spaces around either come from copying. */
export function checkRepeated<N extends string, A extends string>(name: N, again: A, rule: Check) {
  return (form: Repeated<N, A>): Partial<Record<N | A, Key>> => {
    const faults: Partial<Record<string, Key>> = {};
    const [secret, repeated] = [form[name].trim(), form[again].trim()];
    const fault = rule(secret);
    if (fault) faults[name] = fault;
    if (repeated === "") faults[again] = "field.required";
    else if (repeated !== secret) faults[again] = "field.mismatch";
    return faults as Partial<Record<N | A, Key>>;
  };
}
