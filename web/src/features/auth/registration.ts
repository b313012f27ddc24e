import type { LoginAnswer } from "./api";
import { type Registration, register } from "./api-login";
import type { Invitation } from "./invitation";
import { type RegisterValues, type TextField, isProof } from "./rules";
import { withProof } from "./sign-in";
import type { Way } from "./ways";

/** The form as it is sent: what was filled in, what the link brought, and how the page was reached. */
export function bodyOf(
  way: Way,
  typed: readonly (readonly [TextField, string])[],
  values: Pick<RegisterValues, "countryDialingCode" | "adult" | "terms" | "ofAge">,
  invited: Invitation,
  address: { href: string; hostname: string },
): Registration {
  const hasNumber = typed.some(([name, text]) => name === "mobileNum" && text !== "");
  const isSent = ([name, text]: readonly [TextField, string]) =>
    text !== "" && (hasNumber || !isProof(name));
  const filled = Object.fromEntries(typed.filter(isSent));
  const { mobileNum, birthday } = filled;
  return {
    ...filled,
    ...(way === "mobile" && mobileNum !== undefined && { username: mobileNum }),
    ...(mobileNum !== undefined && { countryDialingCode: values.countryDialingCode }),
    ...channelOf(filled),
    ...(birthday !== undefined && { ofAge: values.ofAge }),
    ...invited,
    adult: values.adult,
    terms: values.terms,
    login: true,
    domain: address.hostname,
    // The code of an invitation is told in its own field; the rest of a link is nobody's business.
    registerUrl: address.href.split(/[?#]/, 1)[0],
    registerMethod: "WEB",
  };
}

/** By what the number is proved, where it is. */
function channelOf(filled: Partial<Record<string, string>>): { channel?: "SERVICE" | "SMS" } {
  if (filled["idToken"] !== undefined) return { channel: "SERVICE" };
  return filled["verificationCode"] === undefined ? {} : { channel: "SMS" };
}

export function sendRegistration(
  way: Way,
  typed: readonly (readonly [TextField, string])[],
  values: RegisterValues,
  invited: Invitation,
): Promise<LoginAnswer> {
  const body = bodyOf(way, typed, values, invited, location);
  return withProof((human) => register(way, { ...body, human }));
}
