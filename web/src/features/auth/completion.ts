import type { MemberInfo } from "@/lib/api/types";
import type { RegisterRules } from "./api-login";
import {
  type FormTerms,
  type ShownField,
  type TextField,
  isProof,
  neverEmpty,
  shapeFor,
  textFields,
} from "./rules";

/** Not asked of somebody who is a member already: the provider stands for all of it. */
const providedFields: ReadonlySet<TextField> = new Set<TextField>([
  "username",
  "password",
  "confirmPassword",
  "referralCode",
  "captcha",
]);

/** A field that whoever came through a provider may be asked for. */
export type OpenField = Exclude<
  TextField,
  "username" | "password" | "confirmPassword" | "referralCode" | "captcha"
>;

/** What a number is proved by, where the merchant asks for it: a code, or the word of the phone service. */
export type NumberProof = "verificationCode" | "idToken" | null;

/**
 * What a social sign-in has left open: the birth date wherever a form has it, what the rules require and nobody knows
 * yet, what proves the number that is asked for, and an invitation code.
 */
export function completionFields(
  rules: RegisterRules,
  {
    known,
    invited,
    proof,
  }: Pick<FormTerms, "invited"> & {
    known: ReadonlySet<TextField>;
    proof: NumberProof;
  },
): (ShownField & { name: OpenField })[] {
  const open = textFields.filter((name) => !providedFields.has(name)) as OpenField[];
  return open.flatMap((name): (ShownField & { name: OpenField })[] => {
    const rule = rules[name];
    const shape = shapeFor(rules, name);
    if (known.has(name)) return [];
    if (isProof(name)) {
      const number = known.has("mobileNum") ? undefined : rules["mobileNum"];
      const isAsked = name === proof && number?.enabled === true && number.required;
      return isAsked ? [{ name, required: true, shape }] : [];
    }
    if (name === "birthday")
      return rule?.enabled === false ? [] : [{ name, required: true, shape }];
    if (!rule?.enabled || (name === "affiliateCode" && invited)) return [];
    const required = rule.required || neverEmpty.has(name);
    return required || name === "affiliateCode" ? [{ name, required, shape }] : [];
  });
}

const isGiven = (value: string | null | undefined) => value !== null && value !== undefined;

/** The fields of a form that the house knows of a member. */
export function knownFields(member: MemberInfo | null | undefined): ReadonlySet<TextField> {
  const known: Partial<Record<TextField, boolean>> = member
    ? {
        mobileNum: isGiven(member.mobileNum),
        email: isGiven(member.email),
        payeeName: isGiven(member.payeeName),
        birthday: member.hasBirthday,
        idNumber: member.hasIdNumber,
        address: isGiven(member.address),
        nationality: isGiven(member.nationality),
        occupation: isGiven(member.occupation),
        sourceOfIncome: isGiven(member.sourceOfIncome),
        paymentPassword: member.hasPaymentPassword,
      }
    : {};
  return new Set(textFields.filter((name) => known[name] === true));
}
