import type { ComponentProps } from "react";
import { useT } from "@/lib/i18n/i18n";
import { AuthenticatorField } from "@/ui/authenticator-field";

type Props = Omit<ComponentProps<typeof AuthenticatorField>, "label"> & {
  /** It comes because the form was sent without it. */
  isLate?: boolean;
};

/** A code of the second factor, of the app or on paper. */
export function FactorField({ isLate = false, ...field }: Props) {
  const t = useT();
  return (
    <AuthenticatorField
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it comes because the member has sent the form without it
      autoFocus={isLate}
      label={t("two_factor.code_or_recovery")}
      inputMode="text"
      {...field}
    />
  );
}
