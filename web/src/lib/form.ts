import type { FieldErrors, FieldValues, Path, Resolver, UseFormSetError } from "react-hook-form";
import { type ZodMiniType, safeParse } from "zod/mini";
import { ApiError } from "./api/error";
import type { Key } from "./i18n/i18n";

/** Checks a form by a schema whose messages are keys. The first fault of each field counts. */
export function bySchema<T extends FieldValues>(schema: ZodMiniType<T>): Resolver<T> {
  return (values) => {
    const result = safeParse(schema, values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of result.error.issues) {
      errors[String(issue.path[0])] ??= { type: issue.code ?? "custom", message: issue.message };
    }
    return { values: {}, errors: errors as FieldErrors<T> };
  };
}

const fieldCodes: Readonly<Record<string, Key>> = {
  required: "field.required",
  too_short: "field.too_short",
  too_long: "field.too_long",
  pattern: "field.pattern",
  taken: "field.taken",
  mismatch: "field.mismatch",
  common: "field.common",
  used: "field.used",
  too_young: "field.too_young",
};

/** Hands the server's field faults to the form. False when the error is about no field of it. */
export function takeFieldErrors<T extends FieldValues>(
  error: unknown,
  known: readonly Path<T>[],
  setError: UseFormSetError<T>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const named = known.filter((name) => error.fields[name] !== undefined);
  for (const [index, name] of named.entries()) {
    const message: Key = fieldCodes[error.fields[name] ?? ""] ?? "field.invalid";
    setError(name, { type: "server", message }, { shouldFocus: index === 0 });
  }
  return named.length > 0;
}
