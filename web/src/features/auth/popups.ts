import { type PopupEntry, openPopup } from "@/lib/popup/popup";

/** `next` is where to go after a login; without it the home page. */
export type LoginProps = { next?: string };

declare module "@/lib/popup/popup" {
  interface Popups {
    login: LoginProps;
    register: LoginProps;
  }
}

export const authPopups: { login: PopupEntry<"login">; register: PopupEntry<"register"> } = {
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
};

export function openLogin(next?: string): void {
  openPopup("login", next === undefined ? {} : { next });
}

export function openRegister(next?: string): void {
  openPopup("register", next === undefined ? {} : { next });
}
