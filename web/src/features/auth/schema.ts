import { boolean, minLength, object, refine, string, trim } from "zod/mini";
import type { Key } from "@/lib/i18n/i18n";
import { fits } from "@/lib/patterns/patterns";

/** The messages of a schema are keys; the field shows the text. */
const say = (key: Key): string => key;

const required = () => string().check(trim(), minLength(1, say("field.required")));
const secret = () => string().check(minLength(1, say("field.required")));

/** Digits as people group them; the server knows what is a number in which country. */
export function looksLikeMobile(text: string): boolean {
  const digits = text.replaceAll(/[\s().-]/g, "");
  return fits("mobile", digits) && digits.length >= 6 && digits.length <= 15;
}

const mobileNum = () =>
  string().check(
    trim(),
    minLength(1, { error: say("error.phone_missing"), abort: true }),
    refine(looksLikeMobile, say("field.phone_invalid")),
  );
const email = () =>
  string().check(
    trim(),
    minLength(1, { error: say("field.required"), abort: true }),
    refine((text) => fits("email", text), say("field.email_invalid")),
  );
const code = () => string().check(trim(), minLength(1, say("error.code_missing")));

export const loginSchema = (captcha: boolean) =>
  object({
    username: required(),
    password: secret(),
    captcha: captcha ? required() : string(),
    remember: boolean(),
  });

export const smsSchema = object({
  mobileNum: mobileNum(),
  countryDialingCode: string(),
  verificationCode: code(),
  remember: boolean(),
});

export const codeSchema = object({ code: required() });

export const forgotEmailSchema = object({
  username: required(),
  email: email(),
});

/** A new password under the merchant's rule; `check` names its fault. */
export const newPasswordSchema = (check: (text: string) => Key | null, held: boolean) =>
  object({
    oldPassword: held ? string() : secret(),
    newPassword: passwordBy(check),
    confirmPassword: secret(),
  }).check(
    refine((form) => form.confirmPassword === form.newPassword, {
      error: say("field.mismatch"),
      path: ["confirmPassword"],
    }),
  );

export const forgotMobileSchema = (check: (text: string) => Key | null) =>
  object({
    mobileNum: mobileNum(),
    countryDialingCode: string(),
    verificationCode: code(),
    newPassword: passwordBy(check),
  });

function passwordBy(check: (text: string) => Key | null) {
  return string().check((context) => {
    const fault = check(context.value);
    if (fault) context.issues.push({ code: "custom", message: fault, input: context.value });
  });
}

/** A number or an address that a member binds, and the code that proves it. */
export const bindSchema = (what: "mobile" | "email") =>
  object({
    mobileNum: what === "mobile" ? mobileNum() : string(),
    countryDialingCode: string(),
    email: what === "email" ? email() : string(),
    verificationCode: code(),
  });

export const passwordSchema = object({ password: secret() });

export const stepUpSchema = object({ password: secret(), code: required() });

export const paymentSchema = (check: (text: string) => Key | null, exists: boolean) =>
  object({
    password: secret(),
    oldPaymentPassword: exists ? secret() : string(),
    paymentPassword: passwordBy(check),
    confirmPaymentPassword: secret(),
  }).check(
    refine((form) => form.confirmPaymentPassword === form.paymentPassword, {
      error: say("field.mismatch"),
      path: ["confirmPaymentPassword"],
    }),
  );
