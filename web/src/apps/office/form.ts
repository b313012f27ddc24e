import { type FormEvent, useState } from "react";
import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import { type FailureCode, isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { byFaults, takeFieldErrors, takeRefusal } from "@/lib/form";
import { type Key, type Translate, useT } from "@/lib/i18n/i18n";
import { settingWords } from "./settings/words";
import { useUnsaved } from "./unsaved";

/** What is wrong with each field. */
export type Faults<T> = Partial<Record<keyof T, Key>>;

/** Sentences for the server's field codes; those of one field come before those of all. */
const words: Readonly<Record<string, Key>> = {
  required: "office.required",
  unknown: "office.unknown",
  too_short: "office.password_short",
  too_long: "office.password_long",
  common: "office.password_common",
  "newPassword.used": "office.password_used",
  "reason.required": "office.reason_rule",
  "username.pattern": "office.username_rule",
  "name.length": "office.name_rule",
  ...settingWords,
};

export function wordOf(name: string, code: string): Key {
  return words[`${name}.${code}`] ?? words[code] ?? "error.input_invalid";
}

/** What is wrong with something that the form has no field for. */
function otherFault(error: unknown, t: Translate): string | null {
  if (!isApiError(error)) return null;
  const known = Object.entries(error.fields).map(([name, code]) => words[`${name}.${code}`]);
  const word = known.find((key) => key !== undefined);
  return word ? t(word) : null;
}

/** Neither password nor code is named as wrong. Another code is needed in any case: each is good once. */
const wantsNewCode = new Set<FailureCode>(["staff.login_refused", "staff.proof_refused"]);

/**
 * A form that is checked here first and then by the server, whose faults land at their fields; so do refusals that are
 * about one of them.
 */
export function useServerForm<T extends FieldValues>(
  values: T,
  check: (values: T) => Faults<T>,
  send: (values: T, reset: () => void) => Promise<void>,
  refusals: Partial<Record<FailureCode, Path<T>>> = {},
) {
  const t = useT();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<T>({
    resolver: byFaults(check),
    defaultValues: values as DefaultValues<T>,
  });
  const names = Object.keys(values) as Path<T>[];
  const { errors, isDirty, isSubmitting } = form.formState;
  const [sent, setSent] = useState<string | null>(null);
  const isUnsaved = () => isDirty && JSON.stringify(form.getValues()) !== sent;
  useUnsaved({ isThere: isUnsaved, isFree: () => isSubmitting });
  const submit = form.handleSubmit(async (given) => {
    setFailure(null);
    try {
      await send(given as T, () => form.reset());
      setSent(JSON.stringify(form.getValues()));
    } catch (error) {
      if (takeFieldErrors(error, names, form.setError, wordOf)) return;
      if (takeRefusal(error, refusals, form.setError)) return;
      setFailure(otherFault(error, t) ?? errorText(error, t));
      if (!isApiError(error) || !wantsNewCode.has(error.code)) return;
      form.setFocus("code" as Path<T>, { shouldSelect: true });
    }
  });
  return {
    register: form.register,
    /** The sentence below a field. */
    fault: (name: Path<T>): string | undefined => {
      const message = errors[name]?.message;
      return message ? t(String(message) as Key) : undefined;
    },
    failure,
    /** Something is typed that is not sent. */
    isUnsaved,
    busy: isSubmitting,
    onSubmit: (event: FormEvent) => void submit(event),
  };
}

/** The fields that are empty, and whose names are given. */
export function emptyOnes<T extends object>(values: T, names: readonly (keyof T)[]): Faults<T> {
  const empty = names.filter((name) => String(values[name]).trim() === "");
  return Object.fromEntries(empty.map((name) => [name, "office.required"])) as Faults<T>;
}

/** Why something is done stands in the trail: a word is not enough. */
export function reasonFault(reason: string): { reason?: Key } {
  const { length } = [...reason.trim()];
  return length >= 3 && length <= 500 ? {} : { reason: "office.reason_rule" };
}

/** Six digits, as apps group them or not. */
export function codeFault(code: string): { code?: Key } {
  return /^\d{3}\s?\d{3}$/.test(code.trim()) ? {} : { code: "office.code_pattern" };
}

/** Only the digits. */
export const digitsOf = (code: string) => code.replaceAll(/\s/g, "");
