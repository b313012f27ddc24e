import type { UseFormRegisterReturn } from "react-hook-form";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";

type ReasonFieldProps = {
  field: UseFormRegisterReturn;
  error: string | undefined;
  isFirst?: boolean;
};

/** Why something is done; it stands in the trail. */
export function ReasonField({ field, error, isFirst }: ReasonFieldProps) {
  const t = useT();
  return (
    <Field
      data-autofocus={isFirst || undefined}
      label={t("office.reason")}
      hint={t("office.reason_hint")}
      autoComplete="off"
      maxLength={500}
      error={error}
      {...field}
    />
  );
}
