import { boolean, maxLength, minLength, object, refine, regex, string, trim } from "zod/mini";
import type { RegisterRule } from "@/lib/api/types";
import type { Key } from "@/lib/i18n/i18n";

/** The messages of a schema are keys; the field shows the text. */
const say = (key: Key): string => key;

export const loginSchema = object({
  username: string().check(trim(), minLength(1, say("field.required"))),
  password: string().check(minLength(1, say("field.required"))),
});

export type Lengths = Pick<RegisterRule, "minLength" | "maxLength">;
export type RegisterRules = { username: Lengths; password: Lengths };

function within({ minLength: least, maxLength: most }: Lengths) {
  return [
    minLength(1, { error: say("field.required"), abort: true }),
    minLength(least, { error: say("field.too_short"), abort: true }),
    maxLength(most, { error: say("field.too_long"), abort: true }),
  ];
}

/** What the registration form asks today. */
export type RegisterForm = {
  username: string;
  password: string;
  confirmPassword: string;
  adult: boolean;
  terms: boolean;
};

/** The registration form under the merchant's rules. The server checks the same again. */
export function registerSchema(rules: RegisterRules) {
  return object({
    username: string().check(
      trim(),
      ...within(rules.username),
      regex(/^[A-Za-z][A-Za-z0-9]*$/, say("field.pattern")),
    ),
    password: string().check(...within(rules.password)),
    confirmPassword: string().check(minLength(1, say("field.required"))),
    adult: boolean().check(refine((ticked) => ticked, say("field.adult_required"))),
    terms: boolean().check(refine((ticked) => ticked, say("field.terms_required"))),
  }).check(
    refine((form) => form.confirmPassword === form.password, {
      error: say("field.mismatch"),
      path: ["confirmPassword"],
    }),
  );
}
