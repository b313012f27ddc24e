import type { Key, Translate } from "@/lib/i18n/i18n";

/** Every right that this page knows, and the sentence for it. */
export const rightSentences = {
  "staff.read": "office.right_staff_read",
  "staff.write": "office.right_staff_write",
  "roles.write": "office.right_roles_write",
  "trail.read": "office.right_trail_read",
  "trail.export": "office.right_trail_export",
  "settings.read": "office.right_settings_read",
  "settings.write": "office.right_settings_write",
  "members.read": "office.right_members_read",
  "members.write": "office.right_members_write",
  "members.close": "office.right_members_close",
  "wallet.read": "office.right_wallet_read",
  "rounds.read": "office.right_rounds_read",
  "outbox.read": "office.right_outbox_read",
  "outbox.open": "office.right_outbox_open",
  "service.read": "office.right_service_read",
  "service.write": "office.right_service_write",
  "approvals.read": "office.right_approvals_read",
  "wallet.correct": "office.right_wallet_correct",
  "wallet.approve": "office.right_wallet_approve",
  "games.read": "office.right_games_read",
  "games.write": "office.right_games_write",
  "feedback.read": "office.right_feedback_read",
  "feedback.write": "office.right_feedback_write",
  "affiliates.read": "office.right_affiliates_read",
  "affiliates.write": "office.right_affiliates_write",
  "content.read": "office.right_content_read",
  "content.write": "office.right_content_write",
} as const satisfies Record<string, Key>;

export type Right = keyof typeof rightSentences;

const roleNames: Readonly<Record<string, Key>> = {
  administrator: "office.role_administrator",
  cashier: "office.role_cashier",
  support: "office.role_support",
  content: "office.role_content",
  auditor: "office.role_auditor",
};

/** What a right allows; one that only a newer server knows is shown as it is written. */
export function rightText(right: string, t: Translate): string {
  const sentence: Key | undefined = rightSentences[right as Right];
  return sentence ? t(sentence) : right;
}

export function roleText(role: string, t: Translate): string {
  const name = roleNames[role];
  return name ? t(name) : role;
}

export function rolesText(roles: readonly string[], t: Translate): string {
  return roles.map((role) => roleText(role, t)).join(", ") || t("office.no_roles");
}

/** The rights that there are: those this page knows, and those that roles have besides. */
export function allRights(roles: readonly { rights: readonly string[] }[]): string[] {
  const named = roles.flatMap(({ rights }) => rights);
  return [...new Set([...Object.keys(rightSentences), ...named])];
}
