//! Wallet: the ledger. Double-entry bookkeeping, append-only, in exact integers.
//!
//! Owns the tables `wallet_*`; no other crate writes them. A holder is a member or an escrow.
//! A posting is one or more transfers of one holder, accepted or refused as a whole. Each transfer
//! moves an amount from a debit account to a credit account, at least one of which is the holder's.
//! House accounts have no row: their balance is a sum over transfers. `(holder, key)` is unique for
//! ever: the same idempotency key with the same body has one effect and one answer. Transfers form
//! a hash chain per holder: each row's hash covers its content and the hash of the row before.
//!
//! There are two ways to post, both built on [`Locked`]: [`post_in`] and the other functions of
//! `ops` run in the caller's transaction, for use cases that must be atomic with other rows;
//! [`Writer::post`] is for high volume and commits many orders in one transaction.

use std::sync::Arc;

use identity::Identity;
use members::{Members, OnRegistered, OnStateChanged};
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::{Finder, Staff};

mod audit;
mod batch;
pub mod codes;
mod corrections;
mod handler;
mod http;
mod inbox;
mod jobs;
mod locked;
mod model;
mod office;
mod office_http;
mod office_store;
mod ops;
mod proofs;
mod reasons;
mod record;
pub mod rights;
mod stats;
mod store;
mod writer;

pub use audit::{AuditError, AuditTotals, Offence, RecordCheck, RoundMoney, RoundsMoney, audit};
use corrections::CORRECTION;
pub use handler::{Handler, PendingRecord, Receipt};
pub use http::{Balance, TransferView};
pub use jobs::publish_proofs;
pub use locked::{Known, Locked};
pub use model::{
    Account, BalanceEvent, HandlerCursor, House, Key, PostError, Posted, Posting, Transfer, Vendor,
};
pub use office::list_transfers_for_reference;
use office::on_state_changed;
use ops::on_registered;
pub use ops::{
    Escrow, Hold, MemberTransfer, capture, close_escrow, find_balance, find_cursor, hold,
    list_cursors, open_escrow, pay_in, pay_jackpot, pay_out, post_in, post_locked, post_one,
    release, reverse, send, set_cursor, sum_into_pool,
};
use proofs::Prover;
pub use reasons::Reason;
pub use stats::Stats;
pub use writer::{Size, Writer, WriterDeps};

/// The state of the wallet domain: a cheap handle.
#[derive(Clone)]
pub struct Wallet(Arc<Parts>);

/// The fields behind [`Wallet`].
pub struct Parts {
    core: Core,
    /// The staff domain: office logins, rights, approvals.
    pub staff: Staff,
    /// The site domain: merchants and their hosts.
    pub site: Site,
    /// The members domain: accounts and profiles.
    pub members: Members,
    /// The identity domain: sessions.
    pub identity: Identity,
    prover: Prover,
}

platform::state! {
    Wallet over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Wallet {
    /// Builds the state from the domains that the wallet depends on.
    pub fn new(identity: Identity) -> Self {
        Self(Arc::new(Parts {
            core: Core::clone(&identity),
            staff: identity.staff.clone(),
            site: identity.site.clone(),
            members: identity.members.clone(),
            prover: Prover::new(&identity.root),
            identity,
        }))
    }
}

/// The wallet's routes, error codes, jobs and hooks.
pub fn module(state: &Wallet) -> Module {
    let (wallet, finder) = (state.clone(), state.clone());
    Module::new("wallet")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &wallet))
        .hook(Finder::new(move |person, text| {
            let app = finder.clone();
            Box::pin(async move { office::find(&app, person, text).await })
        }))
        .hook(CORRECTION)
        .hook(OnRegistered(on_registered))
        .hook(OnStateChanged(on_state_changed))
}
