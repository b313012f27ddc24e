import type { ComponentProps } from "react";
import { Field } from "./field";

/** The digits that an authenticator app shows; the browser may know them as well. */
export function AuthenticatorField(field: ComponentProps<typeof Field>) {
  return (
    <Field
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  );
}
