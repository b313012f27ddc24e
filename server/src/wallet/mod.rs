//! Wallet: the ledger. Double entry, append-only, exact.
//!
//! Owns the tables `wallet_*`, and nothing else writes them. A holder is a member or an escrow.
//! A posting is one or more transfers of one holder, accepted or refused whole. Each transfer
//! moves an amount from a debit to a credit account, at least one of which is the holder's;
//! accounts of the house have no row, their balance is a sum over transfers. `(holder, key)` is
//! unique for ever: the same key and body has one effect and one answer. Each row carries the
//! hash of the holder's row before it.
//!
//! Two doors lead to one core ([`Locked`]): [`post_in`] and its kin for a use case that must be
//! atomic with other rows, and [`Writer::post`] for what is hot, which commits many at once.

mod audit;
mod batch;
mod corrections;
mod desk;
mod http;
mod inbox;
mod locked;
mod model;
mod office;
mod office_http;
mod office_store;
mod ops;
mod proofs;
mod pulse;
mod reasons;
mod record;
mod store;
mod writer;

pub use audit::{AuditError, Audited, Offence, RoundMoney, RoundsMoney, Witness, audit};
pub use corrections::CORRECTION;
pub use desk::{Desk, Draft, Receipt};
pub use http::{Balance, TransferView, routes};
pub use locked::{Known, Locked};
pub use model::{
    Account, BalanceEvent, House, Key, Mark, PostError, Posted, Posting, Transfer, Vendor,
};
pub use office::{find_transfer, list_of_moment, on_state_changed};
pub use office_http::routes as office_routes;
pub use ops::{
    Escrow, Hold, Passage, capture, close_escrow, find_balance, find_mark, hold, list_marks,
    on_registered, open_escrow, pay_in, pay_jackpot, pay_out, post_in, post_locked, post_one,
    release, reverse, send, set_mark, sum_into_pool,
};
pub use proofs::{ProofError, Prover, publish_proofs};
pub use pulse::Pulse;
pub use reasons::Reason;
pub use writer::{Ground, Size, Writer};
