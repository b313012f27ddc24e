import type { PopupEntry } from "@/lib/popup/popup";

declare module "@/lib/popup/popup" {
  interface Popups {
    /** Money in and out: until the cashier opens it says so. */
    cashier: { what: "deposit" | "withdraw" };
    /** The link by which a member invites others. */
    invite: Record<never, never>;
  }
}

type Names = "cashier" | "invite";

const shared = { needs: "member", stack: "over", messages: ["shell"] } as const;

export const shellPopups: { [K in Names]: PopupEntry<K> } = {
  cashier: { ...shared, load: () => import("./cashier-popup") },
  invite: { ...shared, load: () => import("./invite-popup") },
};
