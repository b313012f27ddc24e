//! Studio: our own games, their provably fair seeds, and the jackpots.
//!
//! Owns the tables `studio_*`. A round of one step is decided by [`Rounds`], the studio's handler
//! of the wallet's writer, in the transaction that pays for it: under the wallet's row lock,
//! drawing the book, moving the money, taking the nonce and recording the round are atomic. A
//! refused stake uses no nonce. Rounds of several steps have one transaction per step ([`steps`]).
//! A jackpot is paid in a transaction after its round ([`jackpots`]).

use std::sync::Arc;

use games::Games;
use identity::Identity;
use members::{Members, OnRegistered, OnStateChanged};
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::{Finder, Staff};
use wallet::{Size, Wallet, Writer, WriterDeps};

mod http;
mod jackpot_store;
mod jackpots;
mod jobs;
mod model;
mod office_http;
mod ops;
mod replays;
pub mod rights;
mod rounds;
mod seeds;
mod steps;
mod steps_store;
mod store;
mod view;

pub use jackpots::{Jackpots, check_jackpots, settle_jackpots};
pub use model::{Bet, Player};
pub use ops::play;
pub use replays::{Replayed, replay_sample};
pub use rounds::{Play, Played, PublicSeedPair, Rounds};
use seeds::on_registered;
pub use seeds::{SeedVault, check_pairs};
use steps::on_state_changed;
pub use steps::{end_abandoned_rounds, list_open_stakes};

/// The state of the studio domain: a cheap handle.
#[derive(Clone)]
pub struct Studio(Arc<Parts>);

/// The fields behind [`Studio`].
pub struct Parts {
    core: Core,
    /// The staff domain: office logins and rights.
    pub staff: Staff,
    /// The site domain: merchants and their hosts.
    pub site: Site,
    /// The members domain: accounts and profiles.
    pub members: Members,
    /// The identity domain: sessions.
    pub identity: Identity,
    /// The wallet domain: the ledger.
    pub wallet: Wallet,
    /// The games domain: the catalogue and the recorded rounds.
    pub games: Games,
    /// Encrypts and decrypts server seeds.
    pub seed_vault: SeedVault,
    /// The writer that posts rounds of one step in batches.
    pub rounds: Writer<Rounds>,
    jackpots: Jackpots,
}

platform::state! {
    Studio over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet, games: Games }
}

impl Studio {
    /// Builds the state. `lanes` overrides the number of lanes of the writer.
    pub fn new(games: Games, lanes: Option<usize>) -> Self {
        let core = Core::clone(&games);
        let seed_vault = SeedVault::new(&core.root);
        let deps = WriterDeps {
            db: core.db.clone(),
            clock: core.clock.clone(),
            push: Arc::clone(&core.push),
            fail: core.config.fail.clone(),
            timeouts: core.config.timeouts,
        };
        let size = Size::default();
        let size = Size { lanes: lanes.unwrap_or(size.lanes), ..size };
        Self(Arc::new(Parts {
            core,
            staff: games.staff.clone(),
            site: games.site.clone(),
            members: games.members.clone(),
            identity: games.identity.clone(),
            wallet: games.wallet.clone(),
            games,
            rounds: Writer::start(Rounds::new(seed_vault.clone()), deps, size),
            seed_vault,
            jackpots: Jackpots::default(),
        }))
    }
}

/// The studio's routes, jobs and hooks.
pub fn module(state: &Studio) -> Module {
    let (studio, finder) = (state.clone(), state.clone());
    Module::new("studio")
        .hook(staff::Rights(rights::ALL))
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &studio))
        .hook(Finder::new(move |person, text| {
            let app = finder.clone();
            Box::pin(async move { office_http::find(&app, person, text).await })
        }))
        .hook(OnRegistered(on_registered))
        .hook(OnStateChanged(on_state_changed))
}
