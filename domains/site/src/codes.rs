//! Error codes of this domain.

platform::error_codes! {
    UNKNOWN_HOST "site.unknown_host" NOT_FOUND "This address belongs to no site, contact customer service"
    SWITCHED_OFF "site.switched_off" FORBIDDEN "function not enabled, contact customer service"
    MAINTENANCE "site.maintenance" SERVICE_UNAVAILABLE "The site is under maintenance, please come back soon"
    RESTRICTED "site.restricted" FORBIDDEN "This site is not available where you are"
    UNKNOWN_MERCHANT "site.unknown_merchant" NOT_FOUND "There is no such merchant"
    UNKNOWN_CHANGE "site.unknown_change" NOT_FOUND "There is no such change"
    STALE "site.stale" CONFLICT "Somebody has changed this since you looked, look again"
    CHANGED_SINCE "site.changed_since" CONFLICT "This was changed again since, undo the newer change first"
    FINAL "site.final" CONFLICT "This cannot be undone"
    HOST_TAKEN "site.host_taken" CONFLICT "This host belongs to another merchant"
    HOST_NEEDED "site.host_needed" CONFLICT "This host is the last one or the main domain, so it stays"
}
