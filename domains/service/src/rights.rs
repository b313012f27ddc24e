//! What people of the office may do here. What nobody is named for, nobody may.

staff::rights! {
    OutboxRead "outbox.read" "See which messages went out, and what became of them"
    OutboxOpen "outbox.open" "Read messages, with the codes and links in them"
    ServiceRead "service.read" "See how the house runs: health and jobs"
    ServiceWrite "service.write" "Run failed jobs again, and try outside services"
}
