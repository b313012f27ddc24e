import type { Key, Translate } from "@/lib/i18n/i18n";
import type { TrailRow } from "../api";

/** What is known to stand in the trail. */
export const actionNames: Readonly<Record<string, Key>> = {
  "staff.login": "office.did_login",
  "staff.login_refused": "office.did_login_refused",
  "staff.logout": "office.did_logout",
  "staff.session_end": "office.did_session_end",
  "staff.proof": "office.did_proof",
  "staff.proof_refused": "office.did_proof_refused",
  "staff.password": "office.did_password",
  "staff.add": "office.did_add",
  "staff.change": "office.did_change",
  "staff.reset": "office.did_reset",
  "staff.role": "office.did_role",
  "trail.export": "office.did_export",
  "approvals.ask": "office.did_ask",
  "approvals.agree": "office.did_agree",
  "approvals.refuse": "office.did_refuse",
  "site.change": "office.did_site_change",
  "site.undo": "office.did_site_undo",
  "site.found": "office.did_site_found",
  "approvals.withdraw": "office.did_withdraw",
  "staff.export": "office.did_people_export",
  "service.check": "office.did_check",
  "service.open": "office.did_open",
  "service.resend": "office.did_resend",
  "service.retry": "office.did_retry",
  "service.try": "office.did_try",
  "members.freeze": "office.did_freeze",
  "members.unfreeze": "office.did_unfreeze",
  "members.close": "office.did_close",
  "members.password": "office.did_member_password",
  "members.session_end": "office.did_member_session",
  "members.sessions_end": "office.did_member_sessions",
  "members.export": "office.did_members_export",
  "wallet.export": "office.did_wallet_export",
  "games.vendor": "office.did_vendor",
  "games.game": "office.did_game",
  "games.offer": "office.did_offer",
  "content.add": "office.did_content_add",
  "content.change": "office.did_content_change",
  "content.delete": "office.did_content_delete",
  "content.order": "office.did_content_order",
  "content.restore": "office.did_content_restore",
  "content.file": "office.did_file",
  "inbox.answer": "office.did_answer",
  "inbox.close": "office.did_inbox_close",
  "agents.decide": "office.did_affiliate",
};

/** An action in words; one that only a newer server knows is shown as it is written. */
export function actionText(action: string, t: Translate): string {
  const name = actionNames[action];
  return name ? t(name) : action;
}

/** Who did it: whoever is not known by a log-in that was refused is nobody who works here. */
export function actorText({ actor, action }: TrailRow, t: Translate): string {
  return actor === "stranger" && action === "staff.login_refused" ? t("office.stranger") : actor;
}
