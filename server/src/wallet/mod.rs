//! Wallet: the ledger. Double entry, append-only, exact.
//!
//! Owns the tables `wallet_*`, and nothing else writes them. A posting is one or more
//! transfers of one member, accepted or refused whole. Each transfer moves an amount from a
//! debit to a credit account, at least one of which is the member's; house accounts have no
//! row, their balance is a sum over transfers. `(member, key)` is unique for ever: the same
//! key and body has one effect and one answer. Each row carries the hash of the member's
//! row before it.

mod audit;
mod chain;
mod http;
mod model;
mod ops;
mod store;

pub use audit::{Offence, audit};
pub use http::{Balance, routes};
pub use model::{Account, Key, PostError, Posted, Posting, Reason, Transfer};
pub use ops::{Locked, balance_event, find_balance, lock, on_registered, post_in};
