import { patternText, rangeText } from "@/features/auth/rules";
import type { Key, Translate } from "@/lib/i18n/i18n";
import { type PatternId, isPatternId } from "@/lib/patterns/patterns";

/** What the fields of the registration form are called, in the order of the form. */
export const fieldLabels: Readonly<Record<string, Key>> = {
  username: "field.username",
  password: "field.password",
  confirmPassword: "field.confirm_password",
  mobileNum: "settings.field_mobile",
  verificationCode: "settings.field_code",
  paymentPassword: "field.payment_password",
  payeeName: "field.payee_name",
  nickname: "field.nickname",
  email: "field.email",
  birthday: "field.birthday",
  idNumber: "field.id_number",
  address: "field.address",
  nationality: "field.nationality",
  occupation: "field.occupation",
  sourceOfIncome: "field.source_of_income",
  qqNum: "field.qq",
  whatsapp: "field.whatsapp",
  facebook: "field.facebook",
  telegram: "field.telegram",
  zalo: "field.zalo",
  line: "field.line",
  wechat: "field.wechat",
  recommenderId: "field.recommender",
  affiliateCode: "field.invitation_code",
  referralCode: "settings.field_referral",
  captcha: "settings.field_captcha",
  domain: "settings.field_domain",
};

export function fieldText(name: string, t: Translate): string {
  const label = fieldLabels[name];
  return label ? t(label) : name;
}

/** The fields of a form in their order; those that only a newer server knows come last. */
export function inFormOrder(names: readonly string[]): string[] {
  const order = Object.keys(fieldLabels);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => place(a) - place(b));
}

type Shape = { minLength: number; maxLength: number; patternId: string };

/** What a visitor reads who types something else. */
export function shapeText(shape: Shape, t: Translate): string {
  if (shape.patternId === "any") return t("settings.pattern_any", rangeText(shape, t));
  return t(patternText(shape.patternId), rangeText(shape, t));
}

const patternNames: Readonly<Record<PatternId, Key>> = {
  any: "settings.is_any",
  alphanumeric: "settings.is_alphanumeric",
  letter_first: "settings.is_letter_first",
  chinese_digits: "settings.is_chinese_digits",
  email: "settings.is_email",
  digits: "settings.is_digits",
  one_uppercase: "settings.is_one_uppercase",
  uppercase: "settings.is_uppercase",
  mixed: "settings.is_mixed",
  full_name: "settings.is_full_name",
  no_spaces: "settings.is_no_spaces",
  english: "settings.is_english",
  date_ymd: "settings.is_date_ymd",
  date_mdy: "settings.is_date_mdy",
  korean: "settings.is_korean",
  thai: "settings.is_thai",
  kanji: "settings.is_kanji",
  hiragana: "settings.is_hiragana",
  full_width: "settings.is_full_width",
  mobile: "settings.is_mobile",
};

/** A pattern in a few words; one that only a newer server knows is shown as it is written. */
export function patternName(patternId: string, t: Translate): string {
  return isPatternId(patternId) ? t(patternNames[patternId]) : patternId;
}
