import { isApiError } from "@/lib/api/client";
import type { ApiError } from "@/lib/api/error";
import { loadPart } from "@/lib/lazy";
import type { LoginAnswer } from "./api";
import { type UsernameLogin, login } from "./api-login";

async function proveHuman(refusal?: ApiError): Promise<string | undefined> {
  const human = await loadPart(() => import("@/lib/human/human"));
  return human.proveHuman(refusal);
}

/**
 * Runs a call with a fresh proof. One that came too late, was spent, or is too easy for the name that is tried, is
 * made once more.
 */
export async function withProof<T>(send: (human: string | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(await proveHuman());
  } catch (error) {
    if (!isApiError(error, "session.human_check") || error.status === 0) throw error;
    return send(await proveHuman(error));
  }
}

/** The agents' page lets agents in only. */
export function door(): { agentPage?: boolean } {
  return location.pathname === "/agentHome" ? { agentPage: true } : {};
}

/** Logs in by username: the human check first, then the call. */
export function signIn(form: Omit<UsernameLogin, "human">): Promise<LoginAnswer> {
  return withProof((human) => login({ ...form, ...door(), human }));
}

/** Whether the server asks for a captcha from now on. */
export function asksCaptcha(error: unknown): boolean {
  if (!isApiError(error)) return false;
  const { value, code } = error;
  const flagged =
    typeof value === "object" && value !== null && "captcha" in value && value.captcha === true;
  return flagged || code === "session.captcha";
}
