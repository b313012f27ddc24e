import type { PopupEntry } from "@/lib/popup/popup";
import type { BindPurpose, ContactKind } from "./model";

/** `held` is the contact that the member has, masked. */
export type BindProps = { what: ContactKind; purpose: BindPurpose; held?: string };

declare module "@/lib/popup/popup" {
  interface Popups {
    icon: { current: string | undefined };
    bind: BindProps;
    paymentPassword: { exists: boolean };
    twoFactorOn: Record<never, never>;
    twoFactorOff: Record<never, never>;
    recoveryCodes: Record<never, never>;
  }
}

type Names = "icon" | "bind" | "paymentPassword" | "twoFactorOn" | "twoFactorOff" | "recoveryCodes";

const shared = { needs: "member", stack: "over", messages: ["auth", "security"] } as const;

export const securityPopups: { [K in Names]: PopupEntry<K> } = {
  icon: { ...shared, load: () => import("./components/icon-popup") },
  bind: { ...shared, load: () => import("./components/bind-popup") },
  paymentPassword: { ...shared, load: () => import("./components/payment-password-popup") },
  twoFactorOn: { ...shared, load: () => import("./components/two-factor-on-popup") },
  twoFactorOff: { ...shared, load: () => import("./components/two-factor-off-popup") },
  recoveryCodes: { ...shared, load: () => import("./components/recovery-codes-popup") },
};
