import { asksCaptcha, signIn } from "./sign-in";
import { fulfilWish, wishNoChange, wishToForget, wishToRemember } from "./remembering";
import type { useEnter } from "./use-enter";

/** What happens to what is remembered once somebody is in. */
export type Remembering = "keep" | "forget" | "no change";

/** A log-in that was refused, and what another form needs to go on with it. */
export type Refusal = {
  error: unknown;
  asksCaptcha: boolean;
  typed: { username: string; password: string; remember: boolean };
};

type Try = {
  username: string;
  password: string;
  /** Empty where none is asked for. */
  captcha: string;
  remembering: Remembering;
  next: string | undefined;
};

/** Logs in by username and remembers what is wished; what is refused is for the form to explain. */
export async function logIn(
  { username, password, captcha, remembering, next }: Try,
  enter: ReturnType<typeof useEnter>,
): Promise<Refusal | null> {
  try {
    const view = await signIn({ username, password, ...(captcha && { captcha }) });
    if (remembering === "keep") wishToRemember({ part: "login", what: { username, password } });
    else if (remembering === "forget") await wishToForget("login");
    else wishNoChange();
    await enter("login", view, { next, password });
    if (view.token) await fulfilWish();
    return null;
  } catch (error) {
    const typed = { username, password, remember: remembering === "keep" };
    return { error, asksCaptcha: asksCaptcha(error), typed };
  }
}
