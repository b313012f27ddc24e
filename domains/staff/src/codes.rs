//! The error codes of this domain.

platform::error_codes! {
    LOGIN_REFUSED "staff.login_refused" BAD_REQUEST noted "Username, password or code is not correct"
    NOT_ALLOWED "staff.not_allowed" FORBIDDEN "Your roles do not allow this"
    PROOF_NEEDED "staff.proof_needed" FORBIDDEN "Show once more that it is you, by your password and a code"
    PROOF_REFUSED "staff.proof_refused" BAD_REQUEST noted "Password or code is not correct"
    NOT_YOURSELF "staff.not_yourself" FORBIDDEN "Somebody else has to do this for you"
    DECIDED "staff.decided" CONFLICT "Somebody has decided on this, or it is too old"
    NO_MEMBER "staff.no_member" NOT_FOUND "There is no such member"
    UNKNOWN "staff.unknown" NOT_FOUND "There is no such person or role"
}
