import { t } from "@/lib/i18n/i18n";
import { type PopupEntry, openPopup, usePopups } from "@/lib/popup/popup";

/** `next` is where to go after a login; without it the home page. */
export type LoginProps = {
  next?: string;
  /** What another form took already; it stays in memory. */
  typed?: { username: string; password: string; remember?: boolean };
  /** The server asked for a captcha. */
  captcha?: boolean;
  /** Why it asked, or why there is a log-in at all, in words. */
  refusal?: string;
  way?: "username" | "mobile";
};

/**
 * A login led here, and nobody stays without the change. `held` is the password of that login, which need not be typed
 * again; a reload forgets it. `next` is where the login leads, `rememberedAs` the name by which the new password is to
 * be remembered.
 */
export type ForcedChange = {
  next: string;
  held: string | undefined;
  rememberedAs?: string | undefined;
};
export type ChangePasswordProps = { forced?: ForcedChange };

/**
 * `token` comes with the link of a mail: then only the new password is asked for. `username` is what stood in the form of
 * the log-in.
 */
export type ForgotProps = { token?: string; username?: string | undefined };

declare module "@/lib/popup/popup" {
  interface Popups {
    login: LoginProps;
    register: LoginProps;
    changePassword: ChangePasswordProps;
    forgot: ForgotProps;
    complete: Record<never, never>;
  }
}

type Names = "login" | "register" | "changePassword" | "forgot" | "complete";

export const authPopups: { [K in Names]: PopupEntry<K> } = {
  login: {
    load: () => import("./components/login-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["auth"],
  },
  register: {
    load: () => import("./components/register-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["auth"],
  },
  changePassword: {
    load: () => import("./components/change-password-popup"),
    needs: "session",
    stack: "over",
    messages: ["auth"],
  },
  forgot: {
    load: () => import("./components/forgot-popup"),
    needs: "anyone",
    stack: "over",
    messages: ["auth"],
  },
  complete: {
    load: () => import("./components/complete-popup"),
    needs: "member",
    stack: "over",
    messages: ["auth"],
  },
};

export function openLogin(next?: string): void {
  openPopup("login", next === undefined ? {} : { next });
}

/** The log-in for who wanted what takes one; it says so. */
export function demanded(next?: string): LoginProps {
  return { ...(next !== undefined && { next }), refusal: t("error.session_required") };
}

export function openRegister(next?: string): void {
  openPopup("register", next === undefined ? {} : { next });
}

/** Tells a demo account that it takes a real one. */
export const trialNotice = {
  title: "trial.title",
  text: "in_need_true_account",
  action: "in_increase_submit",
  onAction: () => openRegister(),
} as const;

export function openTrialNotice(): void {
  openPopup("notice", trialNotice);
}

/** Asks for what a social sign-in has left open; once, however many calls were refused for it. */
export function openComplete(): void {
  const isOpen = usePopups.getState().open.some(({ name }) => name === "complete");
  if (!isOpen) openPopup("complete", {});
}
