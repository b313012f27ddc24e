//! Games: vendors and the catalogue, lists and search, favorites, launch, the record of rounds and
//! the winners board.
//!
//! Owns the tables `games_*`. The catalogue is read into memory when its edition has changed, and
//! every list is made from there. A round is written once, in the transaction that moves its
//! money, and holds its whole book: it can be shown and checked again at any time.

use std::sync::Arc;

use identity::Identity;
use members::Members;
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::{Names, Staff};
use wallet::Wallet;

mod audit;
mod bits;
mod catalogue;
mod catalogue_store;
pub mod codes;
mod game;
mod http;
mod launch;
mod lists_http;
mod model;
mod office;
mod own_http;
mod own_store;
mod returns;
pub mod rights;
mod search;
mod shop;
mod store;

pub use audit::check_rounds;
pub use catalogue::Catalogue;
pub use game::{Game, GameItem, Limits};
pub use lists_http::{edition, hot, menus, newest, popular, with_jackpot};
pub use model::{NewRound, OpenStake, Round, mask, winner_event};
pub use store::{
    Sought, find_anybodys, find_round, find_rounds, insert_rounds, list_shares, list_sought,
    sample_rounds,
};

/// The state of the domain.
#[derive(Clone)]
pub struct Games(Arc<Parts>);

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
    /// The ledger.
    pub wallet: Wallet,
    /// The games.
    pub catalogue: Catalogue,
}

platform::state! {
    Games over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet }
}

impl Games {
    /// The domain of an installation.
    pub fn new(wallet: Wallet) -> Self {
        Self(Arc::new(Parts {
            core: Core::clone(&wallet),
            staff: wallet.staff.clone(),
            site: wallet.site.clone(),
            members: wallet.members.clone(),
            identity: wallet.identity.clone(),
            catalogue: Catalogue::default(),
            wallet,
        }))
    }
}

/// What the domain brings to the server.
pub fn module(state: &Games) -> Module {
    let (games, vendors) = (state.clone(), state.clone());
    Module::new("games")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office::routes().with_state(state.clone()))
        .hook(Names::new("game", None, move |ids| {
            let app = games.clone();
            Box::pin(async move { office::name_games(&app, ids).await })
        }))
        .hook(Names::new("vendor", None, move |ids| {
            let app = vendors.clone();
            Box::pin(async move { office::name_vendors(&app, ids).await })
        }))
}
