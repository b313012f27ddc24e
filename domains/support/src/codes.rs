//! Error codes of this domain's endpoints.

platform::error_codes! {
    UNKNOWN "inbox.unknown" NOT_FOUND "There is no such feedback"
    DONE "inbox.done" CONFLICT "Somebody has answered or closed this already, look again"
}
