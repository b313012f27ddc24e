import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { CodeField } from "@/ui/code-field";
import { Field, PasswordField } from "@/ui/field";
import { MobileField } from "@/ui/mobile-field";
import type { Country } from "../api-login";
import { type RegisterValues, type ShownField, type TextField, isProof, rangeText } from "../rules";
import { type Captcha, CaptchaField } from "./captcha-field";
import { PhoneProofField } from "./phone-proof-field";

type Fault = (name: keyof RegisterValues) => string | undefined;
type Props = {
  fields: readonly ShownField[];
  form: UseFormReturn<RegisterValues>;
  fault: Fault;
  countries: readonly Country[];
  captcha: Captcha;
  sendCode: () => Promise<number | null>;
};

/** How a field of plain text is named and helped. */
type Look = {
  label: Key;
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  hint?: Key;
};

type Plain = Exclude<TextField, "mobileNum" | "verificationCode" | "idToken" | "captcha">;

const looks: Readonly<Record<Plain, Look>> = {
  username: { label: "field.username", autoComplete: "username", hint: "auth.username_hint" },
  password: { label: "field.password", autoComplete: "new-password", hint: "auth.password_hint" },
  confirmPassword: { label: "field.confirm_password", autoComplete: "new-password" },
  paymentPassword: {
    label: "field.payment_password",
    autoComplete: "off",
    hint: "auth.payment_password_hint",
  },
  payeeName: { label: "field.payee_name", autoComplete: "name" },
  nickname: { label: "field.nickname", autoComplete: "nickname" },
  email: { label: "field.email", type: "email", autoComplete: "email" },
  birthday: { label: "field.birthday", type: "date", autoComplete: "bday" },
  idNumber: { label: "field.id_number", autoComplete: "off" },
  address: { label: "field.address", autoComplete: "street-address" },
  nationality: { label: "field.nationality", autoComplete: "country-name" },
  occupation: { label: "field.occupation", autoComplete: "organization-title" },
  sourceOfIncome: { label: "field.source_of_income", autoComplete: "off" },
  qqNum: { label: "field.qq", autoComplete: "off" },
  whatsapp: { label: "field.whatsapp", autoComplete: "off" },
  facebook: { label: "field.facebook", autoComplete: "off" },
  telegram: { label: "field.telegram", autoComplete: "off" },
  zalo: { label: "field.zalo", autoComplete: "off" },
  line: { label: "field.line", autoComplete: "off" },
  wechat: { label: "field.wechat", autoComplete: "off" },
  recommenderId: { label: "field.recommender", autoComplete: "off" },
  affiliateCode: { label: "field.invitation_code", autoComplete: "off" },
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
  return <PlainField field={field} look={looks[name]} fault={fault} input={input} />;
}

type PlainFieldProps = {
  field: ShownField;
  look: Look;
  fault: Fault;
  input: ReturnType<UseFormReturn<RegisterValues>["register"]>;
};

function PlainField({ field: { name, required, shape }, look, fault, input }: PlainFieldProps) {
  const t = useT();
  const shared = {
    ...input,
    label: t(look.label),
    starred: required,
    autoComplete: look.autoComplete,
    error: fault(name),
    hint: look.hint && t(look.hint, rangeText(shape, t), shape.minLength),
    spellCheck: false,
  };
  if (/password$/i.test(name)) return <PasswordField {...shared} />;
  return <Field {...shared} type={look.type ?? "text"} autoCapitalize="none" />;
}
