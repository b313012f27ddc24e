import { Suspense, lazy } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { CodeField, type CodeSender } from "@/ui/code-field";
import { MobileField } from "@/ui/mobile-field";
import { Skeleton } from "@/ui/skeleton";
import type { Country } from "../api-login";
import { type RegisterValues, type ShownField, isProof } from "../rules";
import type { Captcha } from "../use-captcha";
import type { Way } from "../ways";
import { type Fault, PlainField } from "./plain-field";

/** Few sites ask for these. */
const CaptchaField = lazy(() =>
  loadPart(async () => ({ default: (await import("./captcha-field")).CaptchaField })),
);
const PhoneProofField = lazy(() => loadPart(() => import("./phone-proof-field")));

type Props = {
  way: Way;
  fields: readonly ShownField[];
  form: UseFormReturn<RegisterValues>;
  fault: Fault;
  countries: readonly Country[];
  captcha: Captcha;
  sender: CodeSender;
};

/**
 * The fields that the merchant's rules ask for; a star stands beside what must be filled in. What proves a number that
 * need not be given comes with the number.
 */
export function RegisterFields(props: Props) {
  const number = useWatch({ control: props.form.control, name: "mobileNum" });
  const isShown = ({ name, required }: ShownField) =>
    !isProof(name) || required || number.trim() !== "";
  return props.fields
    .filter(isShown)
    .map((field, index) => (
      <OneField key={field.name} {...props} field={field} first={index === 0} />
    ));
}

function OneField(props: Props & { field: ShownField; first: boolean }) {
  const t = useT();
  const { field, first, way, form, fault, countries, captcha, sender } = props;
  const { name, required } = field;
  const autofocus = first ? { "data-autofocus": true } : {};
  const input = { ...form.register(name), ...autofocus };
  if (name === "mobileNum") {
    return (
      <MobileField
        countries={countries}
        starred={required}
        hint={way === "mobile" ? t("auth.number_is_name") : undefined}
        error={fault(name)}
        number={input}
        dial={form.register("countryDialingCode")}
      />
    );
  }
  if (name === "verificationCode") {
    return <CodeField starred={required} error={fault(name)} sender={sender} {...input} />;
  }
  if (name === "idToken") {
    return (
      <Suspense fallback={<Skeleton className="h-20" />}>
        <PhoneProofField form={form} error={fault(name)} />
      </Suspense>
    );
  }
  if (name === "captcha") {
    return (
      <Suspense fallback={<Skeleton className="h-48" />}>
        <CaptchaField captcha={captcha} error={fault(name)} {...input} />
      </Suspense>
    );
  }
  return <PlainField name={name} field={field} fault={fault} input={input} />;
}
