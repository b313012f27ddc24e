//! Games: vendors, the game catalogue, lists and search, favorites, game launch, the round history
//! and the winners board.
//!
//! Owns the tables `games_*`. The catalogue is cached in memory and reloaded when its edition
//! number changes; all lists are served from the cache. A round is inserted once, in the
//! transaction that moves its money, together with its complete book, so it can be replayed and
//! verified at any time.

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
    RoundFilter, find_round, find_round_of_any_member, find_rounds, insert_rounds,
    list_filtered_rounds, list_shares, sample_rounds,
};

/// The state of the domain.
#[derive(Clone)]
pub struct Games(Arc<Parts>);

/// The parts of the state: the core, the domains it uses, and the catalogue cache.
pub struct Parts {
    core: Core,
    /// Staff: the back office.
    pub staff: Staff,
    /// Merchants and their sites.
    pub site: Site,
    /// Member accounts.
    pub members: Members,
    /// Sessions and login.
    pub identity: Identity,
    /// The ledger.
    pub wallet: Wallet,
    /// The catalogue cache.
    pub catalogue: Catalogue,
}

platform::state! {
    Games over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet }
}

impl Games {
    /// Builds the state on top of the wallet and the domains below it.
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

/// The domain's module: rights, error codes, routes, and names for the audit log.
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
