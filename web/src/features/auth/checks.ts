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

/** Something has to stand there; spaces are nothing. */
export const required: Check = (text) => (text.trim() === "" ? "field.required" : null);

/** A password has to stand there; its spaces count. */
export const secret: Check = (text) => (text === "" ? "field.required" : null);

export const code: Check = (text) => (text.trim() === "" ? "error.code_missing" : null);

export const mobile: Check = (text) => {
  if (text.trim() === "") return "error.phone_missing";
  return looksLikeMobile(text) ? null : "field.phone_invalid";
};

export const email: Check = (text) =>
  required(text) ?? (fits("email", text.trim()) ? null : "field.email_invalid");

/** Digits as people group them; the server knows what is a number in which country. */
export function looksLikeMobile(text: string): boolean {
  const digits = text.replaceAll(/[\s().-]/g, "");
  return fits("mobile", digits) && digits.length >= 6 && digits.length <= 15;
}

type Repeated<N extends string, A extends string> = { [K in N | A]: string };

/** A new secret under its rule, and the same once more. */
export function checkRepeated<N extends string, A extends string>(name: N, again: A, rule: Check) {
  return (form: Repeated<N, A>): Partial<Record<N | A, Key>> => {
    const faults: Partial<Record<string, Key>> = {};
    const fault = rule(form[name]);
    if (fault) faults[name] = fault;
    if (form[again] === "") faults[again] = "field.required";
    else if (form[again] !== form[name]) faults[again] = "field.mismatch";
    return faults as Partial<Record<N | A, Key>>;
  };
}
