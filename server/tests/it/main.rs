//! Integration tests: HTTP against a real PostgreSQL, in process. They are one binary, which links
//! once. `make test` provides a database; to run them alone: `make test-rust`. A new file needs its
//! `mod` line here: without it, its tests do not run, and nothing says so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail right there")]

mod account;
mod addresses;
mod agents;
mod bind;
mod captcha;
mod claims;
mod clock;
mod codes;
mod completion;
mod content;
mod devices;
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
mod invitations;
mod jackpots;
mod jobs;
mod ledger;
mod login;
mod office;
mod outbox;
mod password;
mod peer;
mod phone;
mod play;
mod policies;
mod pumping;
mod push;
mod races;
mod rate_limits;
mod recovery;
mod regions;
mod registration;
mod registration_gates;
mod registration_numbers;
mod remember;
mod replays;
mod secrets;
mod sessions;
mod simulation;
mod site;
mod social;
mod step_up;
mod steps;
mod stuffing;
mod support;
mod tidy;
mod timing;
mod trials;
mod two_factor;
mod upgrade;
mod wallet;
