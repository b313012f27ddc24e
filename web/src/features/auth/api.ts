import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, requestHeaders, unwrap } from "@/lib/api/client";
import { sealedCall } from "@/lib/api/sealed";
import type { Balance, FreePlay, LoginView } from "@/lib/api/types";

/** What a log-in answers: a session, or the ticket for the second step. */
export type LoginAnswer = LoginView;

declare module "@/lib/api/sealed" {
  interface SealedCalls {
    "POST /wps/session/login/freeplay": [FreePlay, LoginAnswer];
  }
}

export const memberQuery = queryOptions({
  queryKey: ["member", "info"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/wps/member/info", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Forgets everything that is one member's: the next one must not see it. */
export function forgetMember(client: QueryClient): void {
  for (const own of ["wallet", "member"]) client.removeQueries({ queryKey: [own] });
}

/** Starts a demo account. */
export function freePlay(): Promise<LoginAnswer> {
  return sealedCall("POST /wps/session/login/freeplay", {
    os: navigator.platform || "web",
    platform: "W",
    random: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16),
    ).join(""),
    gatewayVersion: 3,
  });
}

/** What a new account starts with. */
export function openingBalance(): Promise<Balance> {
  return unwrap(api.GET("/wps/v2/wallets/balance"));
}

export function logout(): Promise<unknown> {
  return unwrap(api.DELETE("/wps/session/logout"));
}

/** Ends a session that began when nobody waited for it any more: its token would live on, and nobody holds it. */
export function withdraw({ token }: Pick<LoginAnswer, "token">): void {
  if (!token) return;
  const headers = { ...requestHeaders(), Authorization: `Bearer ${token}` };
  // Apart from the other calls: a refusal says nothing about the session that the page is in.
  void fetch("/wps/session/logout", { method: "DELETE", headers }).catch(() => undefined);
}
