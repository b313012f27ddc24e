//! The error codes of this domain.

platform::error_codes! {
    UNKNOWN "service.unknown" NOT_FOUND "There is no such message, job or service"
    TEXT_REMOVED "service.text_removed" CONFLICT "The text of this message was removed, as it is after a day"
    NOT_FAILED "service.not_failed" CONFLICT "This message waits to be sent, or was sent"
    TOO_LATE "service.too_late" CONFLICT "Nobody has a use for this message any more"
    NOT_CONFIGURED "service.not_configured" CONFLICT "This service is not configured"
}
