//! What the calls of this domain are refused with.

platform::error_codes! {
    UNKNOWN "inbox.unknown" NOT_FOUND "There is no such feedback"
    DONE "inbox.done" CONFLICT "Somebody has answered or closed this already, look again"
}
