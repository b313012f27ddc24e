import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { withdraw } from "@/features/auth/api";
import type { Mobile } from "@/features/auth/api-login";
import { call } from "@/lib/api/client";
import { sealedCall } from "@/lib/api/sealed";
import { readToken, storeToken } from "@/lib/api/token";
import type { MemberInfo } from "@/lib/api/types";

/** The member's own view of the account. Number, address and name are masked. */
export type Account = MemberInfo;

type PaymentPassword = {
  password: string;
  oldPaymentPassword?: string;
  paymentPassword: string;
  confirmPaymentPassword: string;
  twoFactorCode?: string;
};
type Profile = { nickname?: string; birthday?: string; ofAge?: boolean };
/** A contact and the code that proves it; the password, unless the member has it already, and a code of the second factor. */
type Proved<T> = T & { verificationCode: string; password?: string; twoFactorCode?: string };
type RecoveryCodes = { recoveryCodes: string[] };

declare module "@/lib/api/sealed" {
  interface SealedCalls {
    "PUT /wps/member/info": [Profile, unknown];
    "PUT /wps/member/bind/mobile": [Proved<Mobile>, unknown];
    "PUT /wps/member/bind/email": [Proved<{ email: string }>, unknown];
    "POST /wps/member/payment-password": [PaymentPassword, unknown];
    "POST /wps/member/two-factor": [{ password: string }, { secret: string; url: string }];
    "PUT /wps/member/two-factor": [{ code: string }, RecoveryCodes & { token: string }];
    "DELETE /wps/member/two-factor": [{ password: string; code: string }, unknown];
    "POST /wps/member/two-factor/recovery": [{ password: string; code: string }, RecoveryCodes];
  }
}

export function changeProfile(change: Profile): Promise<unknown> {
  return sealedCall("PUT /wps/member/info", change);
}

export function chooseIcon(icon: string): Promise<unknown> {
  return call("PUT", "/wps/member/info/icon", { body: { icon } });
}

export function setPaymentPassword(change: PaymentPassword): Promise<unknown> {
  return sealedCall("POST /wps/member/payment-password", change);
}

type Sent = { expiredMinutes?: number } | null;

/** Sends a code to a number or an address that the member wants to bind; resolves to its minutes. */
export async function sendBindCode(
  to: Mobile | { email: string },
  human: string | undefined,
): Promise<number> {
  const path = "email" in to ? "/wps/member/bind/email" : "/wps/member/bind/mobile";
  const sent = await call<Sent>("POST", path, { body: { ...to, human } });
  return sent?.expiredMinutes ?? 1;
}

export function bind(to: Proved<Mobile> | Proved<{ email: string }>): Promise<unknown> {
  return "email" in to
    ? sealedCall("PUT /wps/member/bind/email", to)
    : sealedCall("PUT /wps/member/bind/mobile", to);
}

export type Device = {
  id: string;
  isCurrent: boolean;
  startedAt: string;
  seenAt: string;
  address?: string | null;
  userAgent?: string | null;
};

export const devicesQuery = queryOptions({
  queryKey: ["member", "devices"] as const,
  queryFn: ({ signal }) => call<Device[]>("GET", "/wps/member/devices", { signal }),
});

export function endDevice(id: string): Promise<unknown> {
  return call("DELETE", `/wps/member/devices/${encodeURIComponent(id)}`);
}

/** Ends every session of the member but this one. */
export function endOtherDevices(): Promise<unknown> {
  return call("DELETE", "/wps/member/devices");
}

export type LostContact = { kind: string; masked: string; lostAt: string };

/** Numbers and addresses that the member had typed and somebody else has proved to hold. */
export const lostContactsQuery = queryOptions({
  queryKey: ["member", "contacts", "lost"] as const,
  queryFn: ({ signal }) => call<LostContact[]>("GET", "/wps/member/contacts/lost", { signal }),
});

export type LoginEntry = {
  id: string;
  at: string;
  method: string;
  /** How the second factor was shown, where it was asked for: `app` or `recovery`. */
  factor?: string | null;
  address?: string | null;
  userAgent?: string | null;
};
type LoginPage = { logins: LoginEntry[]; next?: string | null };

export const loginsQuery = infiniteQueryOptions({
  queryKey: ["member", "logins"] as const,
  queryFn: ({ signal, pageParam }) =>
    call<LoginPage>("GET", `/wps/member/logins${pageParam && `?before=${pageParam}`}`, { signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next ?? undefined,
});

export function beginTwoFactor(password: string): Promise<{ secret: string; url: string }> {
  return sealedCall("POST /wps/member/two-factor", { password });
}

/** Switches it on; the answer is the codes for a lost phone, shown once. The session goes on with another token. */
export async function confirmTwoFactor(code: string): Promise<string[]> {
  const session = readToken();
  const { recoveryCodes, token } = await sealedCall("PUT /wps/member/two-factor", { code });
  // Whoever has logged out meanwhile stays out.
  if (readToken() === session) storeToken(token);
  else withdraw({ token });
  return recoveryCodes;
}

export function endTwoFactor(password: string, code: string): Promise<unknown> {
  return sealedCall("DELETE /wps/member/two-factor", { password, code });
}

export async function renewRecoveryCodes(password: string, code: string): Promise<string[]> {
  return (await sealedCall("POST /wps/member/two-factor/recovery", { password, code }))
    .recoveryCodes;
}
