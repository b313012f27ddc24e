//! Error codes of this domain's endpoints.

platform::error_codes! {
    TRIAL_ACCOUNT "session.trial" FORBIDDEN "Please Register An Account First"
    MOBILE_TAKEN "member.mobile_taken" CONFLICT "This mobile number is registered already"
    EMAIL_TAKEN "member.email_taken" CONFLICT "This e-mail address is registered already"
    INVITATION_CODE "member.invitation_code" BAD_REQUEST "Invalid invitation code"
    UNKNOWN "member.unknown" NOT_FOUND "Username/Email does not exist"
    TO_COMPLETE "member.to_complete" FORBIDDEN "Complete your registration first"
    WRONG_PASSWORD "member.wrong_password" BAD_REQUEST noted "The current password is not correct"
    NO_PASSWORD "member.no_password" CONFLICT "This account has no password yet, set one with your mobile number"
    ALREADY_SET "member.already_set" CONFLICT "This was set before, contact customer service to change it"
    WRONG_PAYMENT_PASSWORD "member.wrong_payment_password" BAD_REQUEST noted "The transaction password is not correct"
    PAYMENT_LOCKED "member.payment_locked" TOO_MANY_REQUESTS "Too many wrong transaction passwords, try again later"
    FROZEN "member.frozen" FORBIDDEN "This account is frozen, contact customer service"
    CLOSED "member.closed" FORBIDDEN "This account is closed, contact customer service"
    MUST_CHANGE "member.must_change" FORBIDDEN "Set a new password first"
    OTHER_STATE "member.other_state" CONFLICT "The account is in another state by now, look at it again"
    HAS_MONEY "member.has_money" CONFLICT "There is still money in this account"
}
