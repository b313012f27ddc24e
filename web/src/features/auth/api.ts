import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/lib/api/client";
import { sealedCall } from "@/lib/api/sealed";
import type { Balance, LoginView, Registration } from "@/lib/api/types";

export const memberQuery = queryOptions({
  queryKey: ["member", "info"] as const,
  queryFn: ({ signal }) => unwrap(api.GET("/wps/member/info", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export function login(username: string, password: string): Promise<LoginView> {
  return sealedCall("POST /wps/session/login", { username, password, type: "username" });
}

export function register(form: Registration): Promise<LoginView> {
  return sealedCall("PUT /wps/member/register", form);
}

/** Starts a demo account. */
export function freePlay(): Promise<LoginView> {
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

/** The merchant's rules for the registration form. */
export const registerRulesQuery = queryOptions({
  queryKey: ["site", "register-rules"] as const,
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET("/wps/system/permission", { signal }))).info.registerRules,
  staleTime: Number.POSITIVE_INFINITY,
});
