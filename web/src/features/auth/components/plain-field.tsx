import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from "react";
import type { UseFormReturn } from "react-hook-form";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Field, PasswordField } from "@/ui/field";
import { type RegisterValues, type ShownField, type TextField, rangeText } from "../rules";

export type Fault = (name: keyof RegisterValues) => string | undefined;

/** How a field of plain text is named and helped. */
type Look = {
  label: Key;
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  hint?: Key;
};

export type PlainName = Exclude<
  TextField,
  "mobileNum" | "verificationCode" | "idToken" | "captcha"
>;

const looks: Readonly<Record<PlainName, Look>> = {
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
  referralCode: { label: "field.referral_code", autoComplete: "off" },
};

type PlainFieldProps = {
  name: PlainName;
  field: ShownField;
  fault: Fault;
  input: ReturnType<UseFormReturn<RegisterValues>["register"]>;
};

/** A field of plain text. */
export function PlainField({ name, field: { required, shape }, fault, input }: PlainFieldProps) {
  const t = useT();
  const look = looks[name];
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
