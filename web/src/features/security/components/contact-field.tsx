import type { UseFormReturn } from "react-hook-form";
import { useCountries } from "@/features/auth/countries";
import { useT } from "@/lib/i18n/i18n";
import { Field } from "@/ui/field";
import { MobileField } from "@/ui/mobile-field";
import type { ContactKind } from "../model";
import type { BindValues } from "../use-bind-code";

type ContactProps = {
  what: ContactKind;
  form: UseFormReturn<BindValues>;
  error: string | undefined;
  onTyped: () => void;
};

/** The number or the address that is to be bound. */
export function ContactField({ what, form: { register }, error, onTyped: onChange }: ContactProps) {
  const t = useT();
  const { countries } = useCountries();
  const autofocus = { "data-autofocus": true };
  if (what === "mobile") {
    const number = { ...register("mobileNum", { onChange }), ...autofocus };
    const dial = register("countryDialingCode", { onChange });
    return <MobileField countries={countries} error={error} number={number} dial={dial} />;
  }
  return (
    <Field
      {...autofocus}
      label={t("field.email")}
      type="email"
      autoComplete="email"
      error={error}
      {...register("email", { onChange })}
    />
  );
}
