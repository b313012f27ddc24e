import { queryOptions } from "@tanstack/react-query";
import { api, call, unwrap } from "@/lib/api/client";
import { patiently } from "@/lib/api/patiently";
import { sealedCall } from "@/lib/api/sealed";
import type { MemberInfo, RegisterRule } from "@/lib/api/types";
import { withCopy } from "@/lib/session-cache";
import type { LoginAnswer } from "./api";
import type { OpenField } from "./completion";

/** A number as it was typed, and the country that it belongs to. */
export type Mobile = { mobileNum: string; countryDialingCode: string };

/** On the agents' page only agents may log in. */
type Door = { agentPage?: boolean };

export type UsernameLogin = Door & {
  username: string;
  password: string;
  captcha?: string | undefined;
  human?: string | undefined;
};
export type SmsLogin = Door & Mobile & { verificationCode: string };
export type PhoneLogin = Door & { idToken: string };
export type SocialLogin = Door & { ticket: string };

/** Field name → what was typed or ticked. */
export type Registration = Record<string, string | boolean | undefined>;

/** What a social sign-in has left open. */
export type Completion = Partial<Record<OpenField | "countryDialingCode", string>> & {
  isAdult: boolean;
  ofAge: boolean;
  acceptsTerms: boolean;
};

declare module "@/lib/api/sealed" {
  interface SealedCalls {
    "POST /wps/session/login": [
      ({ type: "username" } & UsernameLogin) | ({ type: "sms" } & SmsLogin),
      LoginAnswer,
    ];
    "POST /wps/session/login/phone": [PhoneLogin, LoginAnswer];
    "POST /wps/session/login/two-factor": [{ ticket: string; code: string }, LoginAnswer];
    "POST /wps/session/login/social": [SocialLogin, LoginAnswer];
    "PUT /wps/member/register": [Registration, LoginAnswer];
    "PUT /wps/member/register/mobile": [Registration, LoginAnswer];
    "POST /wps/member/complete": [Completion, MemberInfo];
    "POST /wps/member/password": [
      {
        oldPassword: string;
        newPassword: string;
        confirmNewPassword: string;
        twoFactorCode?: string;
      },
      { token: string },
    ];
  }
}

export function login(form: UsernameLogin): Promise<LoginAnswer> {
  return patiently(() => sealedCall("POST /wps/session/login", { type: "username", ...form }));
}

export function loginBySms(form: SmsLogin): Promise<LoginAnswer> {
  return patiently(() => sealedCall("POST /wps/session/login", { type: "sms", ...form }));
}

/** By the phone service's word for a number. */
export function loginByPhone(form: PhoneLogin): Promise<LoginAnswer> {
  return sealedCall("POST /wps/session/login/phone", form);
}

/** The second step: six digits of the app, or a recovery code. */
export function loginTwoFactor(ticket: string, code: string): Promise<LoginAnswer> {
  return sealedCall("POST /wps/session/login/two-factor", { ticket, code });
}

export function loginSocial(form: SocialLogin): Promise<LoginAnswer> {
  return sealedCall("POST /wps/session/login/social", form);
}

/** By username or by mobile number; in the latter the number is the username. */
export function register(way: "username" | "mobile", form: Registration): Promise<LoginAnswer> {
  return way === "mobile"
    ? sealedCall("PUT /wps/member/register/mobile", form)
    : sealedCall("PUT /wps/member/register", form);
}

/** Completes the registration of whoever came through a provider; the answer is the member as it is now. */
export function completeRegistration(given: Completion): Promise<MemberInfo> {
  return sealedCall("POST /wps/member/complete", given);
}

/** The merchant's rules for the fields of the registration form. */
export type RegisterRules = Record<string, RegisterRule>;

/** What the registration form has to know: its rules, and how old one must be. */
export const registerRulesQuery = queryOptions({
  queryKey: ["site", "register-rules"] as const,
  queryFn: async ({ signal }) => {
    const { info } = await unwrap(api.GET("/wps/system/permission", { signal }));
    const { minimumAge = 21 } = info as { minimumAge?: number };
    return { rules: info.registerRules as RegisterRules, minimumAge };
  },
  staleTime: Number.POSITIVE_INFINITY,
  persister: withCopy,
});

/** Accepts the code of an inviting agent, or throws `member.invitation_code`. */
export function checkInvitation(code: string): Promise<unknown> {
  const query = new URLSearchParams({ code, domain: location.hostname });
  return call("GET", `/wps/agent/affiliate/check?${query}`);
}

export type Country = { countryCode: string; countryDialingCode: string; name: string };

export const countriesQuery = queryOptions({
  queryKey: ["site", "countries"] as const,
  queryFn: ({ signal }) => call<Country[]>("GET", "/wps/system/countries", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export type SocialProvider = { provider: string; name: string };

export const socialQuery = queryOptions({
  queryKey: ["site", "social"] as const,
  queryFn: ({ signal }) => call<SocialProvider[]>("GET", "/wps/session/social", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

type Shown = string | { image: string } | { question: string };

/** A picture as base64, or a question in words. The browser gets the cookie that belongs to it. */
export async function fetchCaptcha(kind: "image" | "question"): Promise<string> {
  const shown = await call<Shown>(
    "GET",
    `/wps/captcha${kind === "question" ? "?kind=question" : ""}`,
  );
  if (typeof shown === "string") return shown;
  return "image" in shown ? shown.image : shown.question;
}

export type SmsPurpose = "noLogin" | "register" | "recovery";

/** Sends a code; the answer is how many minutes it lives. */
export async function sendSms(
  purpose: SmsPurpose,
  { mobileNum, countryDialingCode }: Mobile,
  human: string | undefined,
): Promise<number> {
  const number = purpose === "register" ? { mobileNo: mobileNum } : { mobileNum };
  const sent = await call<{ expiredMinutes?: number } | null>(
    "POST",
    `/wps/verification/sms/${purpose}`,
    { body: { ...number, countryDialingCode, human } },
  );
  return sent?.expiredMinutes ?? 1;
}

export function changePassword(
  oldPassword: string,
  newPassword: string,
  factor: { twoFactorCode?: string } = {},
): Promise<{ token: string }> {
  const confirmNewPassword = newPassword;
  const change = { oldPassword, newPassword, confirmNewPassword, ...factor };
  return sealedCall("POST /wps/member/password", change);
}
