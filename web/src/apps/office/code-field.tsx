import type { ComponentProps } from "react";
import { useT } from "@/lib/i18n/i18n";
import { AuthenticatorField } from "@/ui/authenticator-field";

type CodeFieldProps = Omit<ComponentProps<typeof AuthenticatorField>, "label" | "hint">;

/** The code that belongs to the password of everybody who works here: six digits, with a space between or without. */
export function CodeField(field: CodeFieldProps) {
  const t = useT();
  return (
    <AuthenticatorField
      label={t("office.code")}
      hint={t("office.code_hint")}
      maxLength={7}
      {...field}
    />
  );
}
