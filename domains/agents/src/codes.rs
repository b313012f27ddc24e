//! Error codes of this domain's endpoints.

platform::error_codes! {
    UNKNOWN "agents.unknown" NOT_FOUND "There is no such application"
    DECIDED "agents.decided" CONFLICT "Somebody has decided on this application already"
    WAITING "agents.waiting" CONFLICT "You have applied already, the answer will come soon"
}
