import { isApiError } from "@/lib/api/error";
import { errorText } from "@/lib/api/error-text";
import { t } from "@/lib/i18n/i18n";
import { openPopup, warn } from "@/lib/popup/popup";
import { asksCaptcha, signIn } from "./sign-in";
import type { useEnter } from "./use-enter";

type Typed = { username: string; password: string };

/** Logs in with what was typed into the header. Where that is not enough, the popup goes on with it. */
export async function signInFromHeader(
  typed: Typed,
  leadsTo: { next?: string },
  enter: ReturnType<typeof useEnter>,
): Promise<void> {
  const { username, password } = typed;
  if (username === "" || password === "") return warn("in_incorrect_password");
  try {
    await enter("login", await signIn(typed), { ...leadsTo, password });
  } catch (error) {
    if (asksCaptcha(error)) {
      openPopup("login", { ...leadsTo, typed, captcha: true });
      return;
    }
    const isWrong = isApiError(error, "session.wrong_credentials");
    warn("in_incorrect_password", isWrong ? undefined : errorText(error, t));
  }
}
