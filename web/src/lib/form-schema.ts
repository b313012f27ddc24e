import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import { type ZodMiniType, safeParse } from "zod/mini";

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
