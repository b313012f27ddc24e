import { type UseFormReturn, useWatch } from "react-hook-form";
import { CodeField } from "@/ui/code-field";
import { MobileField } from "@/ui/mobile-field";
import type { Country } from "../api-login";
import { type RegisterValues, type ShownField, isProof } from "../rules";
import { type Captcha, CaptchaField } from "./captcha-field";
import { PhoneProofField } from "./phone-proof-field";
import { type Fault, PlainField } from "./plain-field";

type Props = {
  fields: readonly ShownField[];
  form: UseFormReturn<RegisterValues>;
  fault: Fault;
  countries: readonly Country[];
  captcha: Captcha;
  sendCode: () => Promise<number | null>;
};

/**
 * The fields that the merchant's rules ask for; a star stands beside what must be filled in. What proves a number that
 * need not be given comes with the number.
 */
export function RegisterFields(props: Props) {
  const number = useWatch({ control: props.form.control, name: "mobileNum" });
  const isShown = ({ name, required }: ShownField) =>
    !isProof(name) || required || number.trim() !== "";
  return props.fields.filter(isShown).map((field, index) => (
    <OneField key={field.name} {...props} field={field} first={index === 0} />
  ));
}

function OneField(props: Props & { field: ShownField; first: boolean }) {
  const { field, first, form, fault, countries, captcha, sendCode } = props;
  const { name, required } = field;
  const autofocus = first ? { "data-autofocus": true } : {};
  const input = { ...form.register(name), ...autofocus };
  if (name === "mobileNum") {
    return (
      <MobileField
        countries={countries}
        starred={required}
        error={fault(name)}
        number={input}
        dial={form.register("countryDialingCode")}
      />
    );
  }
  if (name === "verificationCode") {
    return <CodeField starred={required} error={fault(name)} onSend={sendCode} {...input} />;
  }
  if (name === "idToken") return <PhoneProofField form={form} error={fault(name)} />;
  if (name === "captcha") return <CaptchaField captcha={captcha} error={fault(name)} {...input} />;
  return <PlainField name={name} field={field} fault={fault} input={input} />;
}
