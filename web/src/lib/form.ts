import type { FieldErrors, FieldValues, Path, Resolver, UseFormSetError } from "react-hook-form";
import { ApiError, type FailureCode } from "./api/error";
import { errorKey } from "./api/error-text";
import type { Key } from "./i18n/i18n";

/** Checks a form by a function that names the fault of each field. */
export function byFaults<T extends FieldValues>(
  check: (values: T) => Partial<Record<keyof T, Key>>,
): Resolver<T> {
  return (values) => {
    const faults = Object.entries(check(values));
    if (faults.length === 0) return { values, errors: {} };
    const errors = faults.map(([name, message]) => [name, { type: "rule", message }]);
    return { values: {}, errors: Object.fromEntries(errors) as FieldErrors<T> };
  };
}

const fieldCodes: Readonly<Record<string, Key>> = {
  required: "field.required",
  too_short: "field.too_short",
  too_long: "field.too_long",
  pattern: "field.invalid",
  taken: "field.taken",
  mismatch: "field.mismatch",
  common: "field.common",
  used: "field.used",
  too_young: "field.too_young",
};

/** Hands the server's field faults to the form. False when the error is about no field of it. `word` may know a better sentence. */
export function takeFieldErrors<T extends FieldValues>(
  error: unknown,
  known: readonly Path<T>[],
  setError: UseFormSetError<T>,
  word: (name: Path<T>, code: string) => Key | undefined = () => undefined,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const named = known.filter((name) => error.fields[name] !== undefined);
  for (const [index, name] of named.entries()) {
    const code = error.fields[name] ?? "";
    const message: Key = word(name, code) ?? fieldCodes[code] ?? "field.invalid";
    setError(name, { type: "server", message }, { shouldFocus: index === 0 });
  }
  return named.length > 0;
}

/** Says a refusal at the field that it is about. False when it is about none of them. */
export function takeRefusal<T extends FieldValues>(
  error: unknown,
  fields: Partial<Record<FailureCode, Path<T>>>,
  setError: UseFormSetError<T>,
): boolean {
  const name = error instanceof ApiError ? fields[error.code] : undefined;
  if (name === undefined) return false;
  setError(name, { type: "server", message: errorKey(error) }, { shouldFocus: true });
  return true;
}
