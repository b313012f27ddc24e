import { asksCaptcha, signIn } from "./sign-in";
import { forgetUnticked } from "./remembering";
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
    if (remembering === "forget") await forgetUnticked("login");
    const what = { username, password };
    const remember = remembering === "keep" ? ({ part: "login", what } as const) : undefined;
    await enter("login", view, { next, password, remember });
    return null;
  } catch (error) {
    const typed = { username, password, remember: remembering === "keep" };
    return { error, asksCaptcha: asksCaptcha(error), typed };
  }
}
