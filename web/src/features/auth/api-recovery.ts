import { call } from "@/lib/api/client";
import { sealedCall } from "@/lib/api/sealed";
import type { LoginAnswer } from "./api";
import type { Mobile } from "./api-login";

declare module "@/lib/api/sealed" {
  interface SealedCalls {
    "POST /wps/member/password/link/look": [{ token: string }, unknown];
    "POST /wps/member/password/link": [{ token: string; newPassword: string }, unknown];
    "POST /wps/member/password/verification": [
      Mobile & { verificationCode: string; newPassword: string },
      LoginAnswer,
    ];
  }
}

/** Asks for a mail with a link. */
export function recoverByEmail(
  username: string,
  email: string,
  human: string | undefined,
): Promise<unknown> {
  const body = new URLSearchParams({ username, email, ...(human && { human }) });
  return call("POST", "/wps/member/password/email", { body });
}

/** Whether the mail's link is still good, without using it; throws `session.link_over`. */
export function lookAtLink(token: string): Promise<unknown> {
  return sealedCall("POST /wps/member/password/link/look", { token });
}

/** Takes the token of the mail's link. */
export function recoverByLink(token: string, newPassword: string): Promise<unknown> {
  return sealedCall("POST /wps/member/password/link", { token, newPassword });
}

export function recoverByMobile(
  form: Mobile & { verificationCode: string; newPassword: string },
): Promise<LoginAnswer> {
  return sealedCall("POST /wps/member/password/verification", form);
}
