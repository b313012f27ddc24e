import type { Key, Translate } from "@/lib/i18n/i18n";
import {
  type PatternId,
  type Shape,
  type ShapeFault,
  checkShape,
  isPatternId,
} from "@/lib/patterns/patterns";
import type { RegisterRules } from "./api-login";
import { looksLikeMobile, withoutGaps } from "./checks";
import type { Way } from "./ways";

/** Every field that a merchant's rules can put into the registration form, in the order of the form. */
export const textFields = [
  "username",
  "mobileNum",
  "verificationCode",
  "idToken",
  "password",
  "confirmPassword",
  "paymentPassword",
  "payeeName",
  "nickname",
  "email",
  "birthday",
  "idNumber",
  "address",
  "nationality",
  "occupation",
  "sourceOfIncome",
  "qqNum",
  "whatsapp",
  "facebook",
  "telegram",
  "zalo",
  "line",
  "wechat",
  "recommenderId",
  "affiliateCode",
  "referralCode",
  "captcha",
] as const;
export type TextField = (typeof textFields)[number];

/** What a form looks like under the rules: the fields that it shows, and which of them must be filled in. */
export type ShownField = { name: TextField; required: boolean; shape: Shape };

/** What decides about a form beside the rules. */
export type FormTerms = {
  way: Way;
  /** A number that is given is proved by a code. */
  codeNeeded: boolean;
  /** The phone service proves it instead. */
  phoneService: boolean;
  /** In a registration by mobile number: whether a password is asked for. */
  passwordShown: boolean;
  /** An invitation came with the link, so none is asked for. */
  invited: boolean;
  /** A friend's code came with the link. */
  referred: boolean;
  minimumAge: number;
};

/** Used until the merchant's own rules are there; the server decides in any case. */
export const usualRules: RegisterRules = {
  username: usual(4, 16, "letter_first"),
  password: usual(8, 64, "any"),
  confirmPassword: usual(8, 64, "any"),
  birthday: usual(10, 10, "date_ymd"),
};

function usual(minLength: number, maxLength: number, patternId: string) {
  const acceptedPattern = "*";
  return { enabled: true, required: true, minLength, maxLength, patternId, acceptedPattern };
}

const anyNumber: Shape = { minLength: 6, maxLength: 15, patternId: "mobile" };
const anyCode: Shape = { minLength: 1, maxLength: 255, patternId: "any" };
const anyToken: Shape = { minLength: 1, maxLength: 16_384, patternId: "any" };
const ownShapes: Partial<Record<TextField, Shape>> = { mobileNum: anyNumber, idToken: anyToken };

/** Must be filled in wherever a form has them, whatever their rule says; the server insists on the same. */
export const neverEmpty: ReadonlySet<TextField> = new Set<TextField>([
  "birthday",
  "captcha",
  "paymentPassword",
]);

/** What a field may hold: as its rule says, or else as is usual. */
export function shapeFor(rules: RegisterRules, name: TextField): Shape {
  return rules[name] ?? usualRules[name] ?? ownShapes[name] ?? anyCode;
}

/** What proves the number: without one there is nothing to prove. */
export function isProof(name: TextField): boolean {
  return name === "verificationCode" || name === "idToken";
}

/** The fields of the form. Some are there by the way of registering, the others by their rule. */
export function shownFields(rules: RegisterRules, terms: FormTerms): ShownField[] {
  const fields = textFields.flatMap((name) => {
    const needed = needOf(name, terms);
    if (needed === "never") return [];
    const rule = rules[name];
    if (needed !== "always" && !rule?.enabled) return [];
    if (needed === "if required" && !rule?.required) return [];
    const shape = shapeFor(rules, name);
    const required = needed === "always" || rule?.required === true || neverEmpty.has(name);
    return [{ name, required, shape }];
  });
  const number = fields.find(({ name }) => name === "mobileNum");
  return fields.flatMap((field) => {
    if (!isProof(field.name)) return [field];
    return number ? [{ ...field, required: number.required }] : [];
  });
}

type Need = "always" | "never" | "by rule" | "if required";

function needOf(name: TextField, terms: FormTerms): Need {
  const { way, codeNeeded, phoneService, passwordShown, invited, referred } = terms;
  switch (name) {
    case "username":
      return way === "username" ? "always" : "never";
    case "mobileNum":
      return way === "mobile" ? "always" : "by rule";
    case "verificationCode":
      return codeNeeded && !phoneService ? "always" : "never";
    case "idToken":
      return codeNeeded && phoneService ? "always" : "never";
    case "password":
    case "confirmPassword":
      return way === "username" || passwordShown ? "always" : "never";
    case "affiliateCode":
      return invited ? "never" : "by rule";
    case "referralCode":
      // It comes with a link; who has none must not be stuck.
      return referred ? "never" : "if required";
    default:
      return "by rule";
  }
}

export type RegisterValues = Record<TextField, string> & {
  countryDialingCode: string;
  adult: boolean;
  terms: boolean;
  ofAge: boolean;
};

/** Where one has to be no older than an adult, who ticks to be one has said it all. */
export function emptyForm(countryDialingCode: string, minimumAge: number): RegisterValues {
  const texts = Object.fromEntries(textFields.map((name) => [name, ""]));
  const ticks = { adult: false, terms: false, ofAge: minimumAge <= 18 };
  return { ...(texts as Record<TextField, string>), ...ticks, countryDialingCode };
}

/** Whole years between a birth date and a day, both `yyyy-MM-dd`. */
export function yearsBetween(birth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birth.slice(0, 4));
  return today.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** A date of the browser's field as the rule wants it. */
export function dateFor(patternId: string, date: string): string {
  const [year, month, day] = date.split("-");
  return patternId === "date_mdy" && day !== undefined ? `${month}-${day}-${year}` : date;
}

export type Faults = Partial<Record<keyof RegisterValues, Key>>;

/** What is wrong with a form, field by field; the server checks the same again. */
export function checkForm(
  form: RegisterValues,
  fields: readonly ShownField[],
  { minimumAge }: Pick<FormTerms, "minimumAge">,
  today: string,
): Faults {
  const faults: Faults = {};
  for (const field of fields) {
    const fault = checkField(field, form);
    if (fault) faults[field.name] = fault;
  }
  const birthday = fields.some(({ name }) => name === "birthday") ? form.birthday : "";
  if (birthday !== "" && !faults.birthday) {
    if (yearsBetween(birthday, today) < minimumAge) faults.birthday = "field.too_young";
    else if (!form.ofAge) faults.ofAge = "field.of_age_required";
  }
  if (!form.adult) faults.adult = "field.adult_required";
  if (!form.terms) faults.terms = "field.terms_required";
  return faults;
}

/** The text of a field as it is sent: without spaces around it. */
export function textOf(form: RegisterValues, { name, shape }: ShownField): string {
  const text = form[name].trim();
  return name === "birthday" ? dateFor(shape.patternId, text) : text;
}

function checkField(field: ShownField, form: RegisterValues): Key | null {
  const { name, required, shape } = field;
  const text = textOf(form, field);
  const isNeeded = required || (isProof(name) && form.mobileNum.trim() !== "");
  if (text === "") return isNeeded ? (prompts[name] ?? "field.required") : null;
  if (name === "confirmPassword") return text === form.password.trim() ? null : "field.mismatch";
  if (name === "mobileNum") return mobileFault(shape, text, form.countryDialingCode);
  // The rule describes what stands in a picture; the answer to a question in words is longer.
  if (name === "captcha") return null;
  return shapeFault(shape, text);
}

/** The rule is about numbers as they are written within a country; after a `+` its code comes first. */
function mobileFault(shape: Shape, text: string, dialingCode: string): Key | null {
  const number = withoutGaps(text);
  if (!number.startsWith("+")) return shapeFault(shape, number);
  const isGood = looksLikeMobile(number) && number.startsWith(`+${dialingCode}`);
  return isGood ? null : "field.phone_invalid";
}

/** What is said of an empty field, where that has words of its own. */
const prompts: Partial<Record<TextField, Key>> = {
  verificationCode: "error.code_missing",
  idToken: "phone.missing",
  mobileNum: "error.phone_missing",
  address: "field.address_missing",
  nationality: "field.nationality_missing",
  occupation: "field.occupation_missing",
  sourceOfIncome: "field.income_missing",
  line: "field.line_missing",
};

/** The first fault of a text that must be there, as a message. */
export function shapeFault(shape: Shape, text: string): Key | null {
  const fault = checkShape(shape, text);
  return fault && (shapeText(shape, fault) ?? anyText[fault]);
}

const anyText = {
  required: "field.required",
  too_short: "field.too_short",
  too_long: "field.too_long",
  pattern: "field.invalid",
} as const satisfies Record<ShapeFault, Key>;

/** What a fault means where a pattern has words of its own for it; the length of what is digits is told in digits. */
export function shapeText({ patternId }: Shape, code: string): Key | undefined {
  const isInDigits = /^(mobile|digits)\.too_(short|long)$/.test(`${patternId}.${code}`);
  return isInDigits || code === "pattern" ? patternText(patternId) : undefined;
}

/** The sentence that says what a pattern wants. */
export function patternText(patternId: string): Key {
  return isPatternId(patternId) ? patternTexts[patternId] : "field.invalid";
}

const patternTexts: Readonly<Record<PatternId, Key>> = {
  any: "field.invalid",
  alphanumeric: "pattern.alphanumeric",
  letter_first: "pattern.letter_first",
  chinese_digits: "pattern.chinese_digits",
  email: "pattern.email",
  digits: "pattern.digits",
  one_uppercase: "pattern.one_uppercase",
  uppercase: "pattern.uppercase",
  mixed: "pattern.mixed",
  full_name: "pattern.full_name",
  no_spaces: "pattern.no_spaces",
  english: "pattern.english",
  date_ymd: "pattern.date_ymd",
  date_mdy: "pattern.date_mdy",
  korean: "pattern.korean",
  thai: "pattern.thai",
  kanji: "pattern.kanji",
  hiragana: "pattern.hiragana",
  full_width: "pattern.full_width",
  mobile: "field.phone_digits",
};

/** How many characters a field may have: `4 to 16`, or one number where there is no choice. */
export function rangeText({ minLength, maxLength }: Omit<Shape, "patternId">, t: Translate) {
  return minLength === maxLength ? String(minLength) : t("field.range", minLength, maxLength);
}
