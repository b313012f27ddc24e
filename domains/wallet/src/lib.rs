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
mod desk;
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
mod pulse;
mod reasons;
mod record;
pub mod rights;
mod store;
mod writer;

pub use audit::{AuditError, Audited, Offence, RoundMoney, RoundsMoney, Witness, audit};
use corrections::CORRECTION;
pub use desk::{Desk, Draft, Receipt};
pub use http::{Balance, TransferView};
pub use jobs::publish_proofs;
pub use locked::{Known, Locked};
pub use model::{
    Account, BalanceEvent, House, Key, Mark, PostError, Posted, Posting, Transfer, Vendor,
};
pub use office::list_of_moment;
use office::on_state_changed;
use ops::on_registered;
pub use ops::{
    Escrow, Hold, Passage, capture, close_escrow, find_balance, find_mark, hold, list_marks,
    open_escrow, pay_in, pay_jackpot, pay_out, post_in, post_locked, post_one, release, reverse,
    send, set_mark, sum_into_pool,
};
use proofs::Prover;
pub use pulse::Pulse;
pub use reasons::Reason;
pub use writer::{Ground, Size, Writer};

/// The state of the domain.
#[derive(Clone)]
pub struct Wallet(Arc<Parts>);

/// What the domain's state is made of.
pub struct Parts {
    core: Core,
    /// The office.
    pub staff: Staff,
    /// The sites.
    pub site: Site,
    /// The members.
    pub members: Members,
    /// The ways in.
    pub identity: Identity,
    prover: Prover,
}

platform::state! {
    Wallet over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Wallet {
    /// The domain of an installation.
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

/// What the domain brings to the server.
pub fn module(state: &Wallet) -> Module {
    let (wallet, finding) = (state.clone(), state.clone());
    Module::new("wallet")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &wallet))
        .hook(Finder::new(move |person, text| {
            let app = finding.clone();
            Box::pin(async move { office::find(&app, person, text).await })
        }))
        .hook(CORRECTION)
        .hook(OnRegistered(on_registered))
        .hook(OnStateChanged(on_state_changed))
}
