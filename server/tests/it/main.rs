//! Integration tests: HTTP against a real PostgreSQL, in process. One binary, so that it
//! links once. `make test` gives it a database; by hand: `make test-rust`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail right there")]

mod account;
mod clock;
mod docs;
mod edits;
mod envelope;
mod fair;
mod harness;
mod hostile;
mod jobs;
mod ledger;
mod play;
mod push;
mod registration;
mod sessions;
mod simulation;
mod site;
mod tidy;
mod upgrade;
mod wallet;
