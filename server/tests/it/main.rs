//! Integration tests: HTTP against a real PostgreSQL, in process. One binary, so that it
//! links once. `make test` gives it a database; by hand: `make test-rust`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail right there")]

mod account;
mod agents;
mod bind;
mod budgets;
mod captcha;
mod claims;
mod clock;
mod codes;
mod completion;
mod content;
mod docs;
mod documents;
mod edits;
mod envelope;
mod fair;
mod front;
mod games;
mod harness;
mod hostile;
mod human;
mod inbox;
mod jackpots;
mod jobs;
mod ledger;
mod login;
mod office;
mod outbox;
mod peer;
mod phone;
mod play;
mod policies;
mod push;
mod races;
mod recovery;
mod regions;
mod registration;
mod registration_gates;
mod remember;
mod replays;
mod secrets;
mod sessions;
mod simulation;
mod site;
mod social;
mod steps;
mod stuffing;
mod tidy;
mod timing;
mod trials;
mod two_factor;
mod upgrade;
mod wallet;
