//! Integration tests: HTTP against a real PostgreSQL, in process. One binary, so that it
//! links once. `make test` gives it a database; by hand: `make test-rust`.

mod docs;
mod envelope;
mod fair;
mod harness;
mod hostile;
mod ledger;
mod play;

mod sessions;
mod site;
mod tidy;
