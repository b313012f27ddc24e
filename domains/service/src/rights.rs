//! The staff rights of this domain. A right that no role holds is denied to everybody.

staff::rights! {
    OutboxRead "outbox.read" "See outgoing messages and their state, without their text"
    OutboxOpen "outbox.open" "Read the text of messages, including codes and links"
    ServiceRead "service.read" "See health, jobs and outside services"
    ServiceWrite "service.write" "Retry jobs and messages, start checks, and test outside services"
}
