import type { Key } from "@/lib/i18n/i18n";

export type ContactKind = "mobile" | "email";

/** What a member does with a number or an address: gives a first one, gives another, or proves the one it has. */
export type BindPurpose = "add" | "change" | "verify";

/** What each kind of contact is called, and what can be done with it. */
export const contactWords = {
  mobile: {
    label: "field.mobile",
    unverified: "security.mobile_unverified",
    add: "security.bind_mobile",
    change: "security.change_mobile",
    verify: "security.verify_mobile",
  },
  email: {
    label: "field.email",
    unverified: "security.email_unverified",
    add: "security.bind_email",
    change: "security.change_email",
    verify: "security.verify_email",
  },
} as const satisfies Record<ContactKind, Record<"label" | "unverified" | BindPurpose, Key>>;

/**
 * Whether the log-in password is asked for: a contact is a way into the account. Not of who proves the one it has, nor
 * of who has no password to show for a first one.
 */
export function asksPassword(purpose: BindPurpose, hasPassword: boolean): boolean {
  return purpose === "change" || (purpose === "add" && hasPassword);
}
