import type { ComponentProps } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";

type Props = Omit<ComponentProps<typeof Field>, "label"> & {
  /** It comes because the form was sent without it. */
  isLate?: boolean;
};

/** A code of the second factor, of the app or on paper. */
export function FactorField({ isLate = false, ...field }: Props) {
  const t = useT();
  return (
    <Field
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it comes because the member has sent the form without it
      autoFocus={isLate}
      label={t("two_factor.code_or_recovery")}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  );
}
