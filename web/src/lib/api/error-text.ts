import type { Key, Translate } from "@/lib/i18n/i18n";
import { ApiError, type FailureCode } from "./error";

/** Each code the server can answer with, and the sentence shown for it: a code without sentence does not compile. */
const sentences: Readonly<Record<FailureCode, Key>> = {
  network: "error.network",
  insecure: "error.insecure",
  "input.invalid": "error.input_invalid",
  "request.foreign_origin": "error.foreign_origin",
  "request.malformed": "error.unexpected",
  "seal.invalid": "error.seal_invalid",
  "session.required": "error.session_required",
  "session.wrong_credentials": "error.wrong_credentials",
  "session.trial": "in_need_true_account",
  "session.human_check": "error.human_check",
  "session.captcha": "error.captcha",
  "verification.phone_missing": "error.phone_missing",
  "verification.phone_invalid": "error.phone_invalid",
  "verification.code_missing": "error.code_missing",
  "verification.code_invalid": "error.code_invalid",
  "verification.code_expired": "error.code_expired",
  "verification.quota": "error.quota",
  "site.unknown_host": "error.unknown_host",
  "site.switched_off": "error.switched_off",
  "site.maintenance": "info_maintenance",
  "session.unknown": "error.session_unknown",
  "member.name_taken": "error.name_taken",
  "member.mobile_taken": "error.mobile_taken",
  "member.email_taken": "error.email_taken",
  "member.invitation_code": "invitation_code_error",
  "member.wrong_password": "error.wrong_password",
  "member.no_password": "error.no_password",
  "member.already_set": "error.already_set",
  "member.wrong_payment_password": "error.wrong_payment_password",
  "member.payment_locked": "error.payment_locked",
  "wallet.insufficient_funds": "error.insufficient_funds",
  "wallet.key_reused": "error.key_reused",
  "wallet.limit": "error.wallet_limit",
  "wallet.key_missing": "error.unexpected",
  "wallet.impossible": "error.impossible",
  "wallet.unknown_key": "error.unknown_key",
  "wallet.no_proof": "error.no_proof",
  "games.unknown_game": "error.unknown_game",
  "games.unknown_round": "error.unknown_round",
  "games.stake_out_of_range": "error.stake_out_of_range",
  "games.payout_too_large": "error.payout_too_large",
  "staff.no_accounts": "error.staff_no_accounts",
  "request.not_found": "error.not_found",
  "request.method_not_allowed": "error.unexpected",
  "request.too_large": "error.too_large",
  "request.unsupported_media_type": "error.unexpected",
  "request.too_many": "error.too_many",
  "server.unavailable": "error.unavailable",
  "server.internal": "error.unexpected",
};

/** A sentence for any thrown value, in the visitor's language. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t("error.unexpected");
  return t(sentences[error.code] ?? "error.unexpected");
}
