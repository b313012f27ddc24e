//! The catalogue of error codes: the whole vocabulary of failure on the wire.
//!
//! One row per code with its HTTP status and its English sentence. The web translates by
//! code, `docs/api.md` lists this table, and `openapi.json` carries the codes as an enum, so
//! that a code without a translation does not compile on the other side.

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

macro_rules! codes {
    ($($variant:ident $text:literal $status:ident $sentence:literal)*) => {
        /// What went wrong, as the web translates it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = $sentence] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands on the wire, `domain.reason`.
            pub fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The HTTP status that goes with it.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)* }
            }

            /// The English sentence for people and logs.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

codes! {
    InputInvalid "input.invalid" BAD_REQUEST "Some of the input is not valid"
    RequestMalformed "request.malformed" BAD_REQUEST "The request could not be read"
    RequestNotFound "request.not_found" NOT_FOUND "There is nothing at this address"
    RequestMethod "request.method_not_allowed" METHOD_NOT_ALLOWED "This address does not take this method"
    RequestTooLarge "request.too_large" PAYLOAD_TOO_LARGE "The request is too large"
    RequestMediaType "request.unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "This content type is not accepted here"
    RequestForeignOrigin "request.foreign_origin" FORBIDDEN "This page may not open a connection here"
    RequestTooMany "request.too_many" TOO_MANY_REQUESTS "too many requests, try again after 5 minutes"
    SealInvalid "seal.invalid" BAD_REQUEST "The sealed payload could not be opened"
    SiteUnknownHost "site.unknown_host" NOT_FOUND "This address belongs to no site, contact customer service"
    SiteSwitchedOff "site.switched_off" FORBIDDEN "function not enabled, contact customer service"
    SiteMaintenance "site.maintenance" SERVICE_UNAVAILABLE "The site is under maintenance, please come back soon"
    SiteRestricted "site.restricted" FORBIDDEN "This site is not available where you are"
    SiteUnknownMerchant "site.unknown_merchant" NOT_FOUND "There is no such merchant"
    SiteUnknownChange "site.unknown_change" NOT_FOUND "There is no such change"
    SiteStale "site.stale" CONFLICT "Somebody has changed this since you looked, look again"
    SiteChangedSince "site.changed_since" CONFLICT "This was changed again since, undo the newer change first"
    SiteFinal "site.final" CONFLICT "This cannot be undone"
    SiteHostTaken "site.host_taken" CONFLICT "This host belongs to another merchant"
    SiteHostNeeded "site.host_needed" CONFLICT "This host is the last one or the main domain, so it stays"
    SessionRequired "session.required" UNAUTHORIZED "You are not logged in, please login"
    SessionWrongCredentials "session.wrong_credentials" BAD_REQUEST "Username or password is not correct"
    SessionLocked "session.locked" TOO_MANY_REQUESTS "Too many wrong passwords. Log in on a device that you have used before, by a code to your phone, or set a new password"
    SessionNotAgent "session.not_agent" FORBIDDEN "Non-agents cannot log in"
    SessionNotMember "session.not_member" FORBIDDEN "Non-member account unable to login"
    SessionSocialFailed "session.social_failed" BAD_REQUEST "The sign-in did not work, please try again"
    SessionSocialCancelled "session.social_cancelled" BAD_REQUEST "The sign-in was cancelled"
    SessionPhoneUnverified "session.phone_unverified" BAD_REQUEST "The phone number could not be verified, please try again"
    SessionNumberUnknown "session.number_unknown" BAD_REQUEST "No account has this phone number, please register first"
    SessionTrial "session.trial" FORBIDDEN "Please Register An Account First"
    SessionFactorInvalid "session.two_factor_invalid" BAD_REQUEST "This code is not right, or was used before"
    SessionFactorSet "session.two_factor_set" CONFLICT "Two-factor login is on already"
    SessionFactorMissing "session.two_factor_missing" CONFLICT "Two-factor login is not on"
    SessionFactorNeeded "session.two_factor_needed" FORBIDDEN "Enter a code of your authenticator app, or a recovery code"
    SessionTicketOver "session.ticket_over" BAD_REQUEST "This login has taken too long or was tried too often, log in again"
    SessionLinkOver "session.link_over" BAD_REQUEST "This link was used before or is too old, ask for a new one"
    SessionHumanCheck "session.human_check" BAD_REQUEST "The human check was not passed, please try again"
    SessionCaptcha "session.captcha" BAD_REQUEST "invalid captcha input"
    VerificationPhoneMissing "verification.phone_missing" BAD_REQUEST "missing phone number"
    VerificationPhoneInvalid "verification.phone_invalid" BAD_REQUEST "invalid phone number format"
    VerificationCodeMissing "verification.code_missing" BAD_REQUEST "missing verification code"
    VerificationCodeInvalid "verification.code_invalid" BAD_REQUEST "invalid verification code"
    VerificationCodeExpired "verification.code_expired" BAD_REQUEST "verification code expired, send again"
    VerificationQuota "verification.quota" TOO_MANY_REQUESTS "quota not sufficient, contact customer service"
    SessionUnknown "session.unknown" NOT_FOUND "There is no such session"
    MemberNameTaken "member.name_taken" CONFLICT "This username is taken"
    MemberMobileTaken "member.mobile_taken" CONFLICT "This mobile number is registered already"
    MemberEmailTaken "member.email_taken" CONFLICT "This e-mail address is registered already"
    MemberInvitationCode "member.invitation_code" BAD_REQUEST "Invalid invitation code"
    MemberUnknown "member.unknown" NOT_FOUND "Username/Email does not exist"
    MemberToComplete "member.to_complete" FORBIDDEN "Complete your registration first"
    MemberWrongPassword "member.wrong_password" BAD_REQUEST "The current password is not correct"
    MemberNoPassword "member.no_password" CONFLICT "This account has no password yet, set one with your mobile number"
    MemberAlreadySet "member.already_set" CONFLICT "This was set before, contact customer service to change it"
    MemberWrongPaymentPassword "member.wrong_payment_password" BAD_REQUEST "The transaction password is not correct"
    MemberPaymentLocked "member.payment_locked" TOO_MANY_REQUESTS "Too many wrong transaction passwords, try again later"
    MemberFrozen "member.frozen" FORBIDDEN "This account is frozen, contact customer service"
    MemberClosed "member.closed" FORBIDDEN "This account is closed, contact customer service"
    MemberMustChange "member.must_change" FORBIDDEN "Set a new password first"
    MemberOtherState "member.other_state" CONFLICT "The account is in another state by now, look at it again"
    MemberHasMoney "member.has_money" CONFLICT "There is still money in this account"
    WalletInsufficientFunds "wallet.insufficient_funds" CONFLICT "Not enough balance"
    WalletKeyMissing "wallet.key_missing" BAD_REQUEST "The header Idempotency-Key is missing or not valid"
    WalletKeyReused "wallet.key_reused" CONFLICT "This key was used for another request"
    WalletLimit "wallet.limit" CONFLICT "The account cannot hold this amount"
    WalletImpossible "wallet.impossible" CONFLICT "This is not possible any more"
    WalletUnknownKey "wallet.unknown_key" NOT_FOUND "Nothing was done under this key"
    WalletNoProof "wallet.no_proof" NOT_FOUND "There is no proof of this day for this account"
    WalletUnknownTransfer "wallet.unknown_transfer" NOT_FOUND "There is no such transfer"
    GamesUnknownGame "games.unknown_game" NOT_FOUND "There is no such game"
    GamesUnknownRound "games.unknown_round" NOT_FOUND "There is no such round"
    GamesStakeOutOfRange "games.stake_out_of_range" BAD_REQUEST "The stake is outside the limits of this game"
    GamesPayoutTooLarge "games.payout_too_large" BAD_REQUEST "The possible payout is above the limit of this game"
    GamesChoiceInvalid "games.choice_invalid" BAD_REQUEST "This choice cannot be played"
    GamesActionInvalid "games.action_invalid" BAD_REQUEST "This is not possible in the round now"
    GamesRoundOpen "games.round_open" CONFLICT "A round is still open: finish it first"
    GamesRoundMovedOn "games.round_moved_on" CONFLICT "The round has moved on: look at it again"
    GamesMaintenance "games.maintenance" CONFLICT "This game is under maintenance, please try another one"
    GamesUnknownVendor "games.unknown_vendor" NOT_FOUND "There is no such vendor"
    GamesFavoritesFull "games.favorites_full" CONFLICT "You have as many favorites as there can be, take one away first"
    StaffLoginRefused "staff.login_refused" BAD_REQUEST "Username, password or code is not correct"
    StaffNotAllowed "staff.not_allowed" FORBIDDEN "Your roles do not allow this"
    StaffProofNeeded "staff.proof_needed" FORBIDDEN "Show once more that it is you, by your password and a code"
    StaffProofRefused "staff.proof_refused" BAD_REQUEST "Password or code is not correct"
    StaffNotYourself "staff.not_yourself" FORBIDDEN "Somebody else has to do this for you"
    StaffDecided "staff.decided" CONFLICT "Somebody has decided on this, or it is too old"
    StaffNoMember "staff.no_member" NOT_FOUND "There is no such member"
    StaffUnknown "staff.unknown" NOT_FOUND "There is no such person or role"
    ServiceUnknown "service.unknown" NOT_FOUND "There is no such message, job or service"
    ServiceTextRemoved "service.text_removed" CONFLICT "The text of this message was removed, as it is after a day"
    ServiceNotFailed "service.not_failed" CONFLICT "This message waits to be sent, or was sent"
    ServiceTooLate "service.too_late" CONFLICT "Nobody has a use for this message any more"
    ServiceNotConfigured "service.not_configured" CONFLICT "This service is not configured"
    InboxUnknown "inbox.unknown" NOT_FOUND "There is no such feedback"
    InboxDone "inbox.done" CONFLICT "Somebody has answered or closed this already, look again"
    AgentsUnknown "agents.unknown" NOT_FOUND "There is no such application"
    AgentsDecided "agents.decided" CONFLICT "Somebody has decided on this application already"
    AgentsWaiting "agents.waiting" CONFLICT "You have applied already, the answer will come soon"
    ServerUnavailable "server.unavailable" SERVICE_UNAVAILABLE "The service is busy, please try again in a moment"
    ServerInternal "server.internal" INTERNAL_SERVER_ERROR "Unknown error"
}

impl ErrorCode {
    /// Whether somebody was kept out by it, so that it is noted: whoever looks into an attack asks for
    /// these.
    pub fn is_noted(self) -> bool {
        let status = self.status();
        status == StatusCode::FORBIDDEN
            || status == StatusCode::TOO_MANY_REQUESTS
            || matches!(
                self,
                Self::SealInvalid
                    | Self::SessionWrongCredentials
                    | Self::SessionSocialFailed
                    | Self::SessionPhoneUnverified
                    | Self::SessionFactorInvalid
                    | Self::SessionTicketOver
                    | Self::SessionLinkOver
                    | Self::SessionHumanCheck
                    | Self::SessionCaptcha
                    | Self::VerificationCodeInvalid
                    | Self::MemberWrongPassword
                    | Self::MemberWrongPaymentPassword
                    | Self::StaffLoginRefused
                    | Self::StaffProofRefused
            )
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl utoipa::PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(Self::ALL.iter().map(|code| code.text())))
            .into()
    }
}

impl utoipa::ToSchema for ErrorCode {}
