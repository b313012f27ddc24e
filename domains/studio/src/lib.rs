//! Studio: our own games, and the seeds that make them fair.
//!
//! Owns the tables `studio_*`. A round is decided inside the transaction that pays for it, by
//! the desk that the studio has at the wallet's writer ([`Rounds`]): the wallet is locked, the
//! book drawn, the money moved, the nonce taken and the round recorded, or none of it. A
//! refused stake uses no nonce. Rounds of several steps are played in transactions of their own
//! ([`steps`]), and the jackpot in one that follows its round ([`jackpots`]).

use std::sync::Arc;

use games::Games;
use identity::Identity;
use members::{Members, OnRegistered, OnStateChanged};
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::{Finder, Staff};
use wallet::{Ground, Size, Wallet, Writer};

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

pub use jackpots::{Jackpots, check_jackpots, keep_jackpots};
pub use model::{Bet, Player};
pub use ops::play;
pub use replays::{Replayed, replay_sample};
pub use rounds::{Play, Played, Rounds, SeedShown};
use seeds::on_registered;
pub use seeds::{SeedVault, check_pairs};
use steps::on_state_changed;
pub use steps::{end_left_rounds, list_open_stakes};

/// The state of the domain.
#[derive(Clone)]
pub struct Studio(Arc<Parts>);

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
    /// The catalogue.
    pub games: Games,
    /// Encrypts server seeds.
    pub seed_vault: SeedVault,
    /// Posts rounds of games.
    pub rounds: Writer<Rounds>,
    jackpots: Jackpots,
}

platform::state! {
    Studio over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet, games: Games }
}

impl Studio {
    /// The studio of an installation, which posts in so many lanes where somebody knows better.
    pub fn new(games: Games, lanes: Option<usize>) -> Self {
        let core = Core::clone(&games);
        let seed_vault = SeedVault::new(&core.root);
        let ground = Ground {
            db: core.db.clone(),
            clock: core.clock.clone(),
            push: Arc::clone(&core.push),
            fail: core.config.fail.clone(),
            patience: core.config.patience,
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
            rounds: Writer::start(Rounds::new(seed_vault.clone()), ground, size),
            seed_vault,
            jackpots: Jackpots::default(),
        }))
    }
}

/// What the domain brings to the server.
pub fn module(state: &Studio) -> Module {
    let (studio, finding) = (state.clone(), state.clone());
    Module::new("studio")
        .hook(staff::Rights(rights::ALL))
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &studio))
        .hook(Finder::new(move |person, text| {
            let app = finding.clone();
            Box::pin(async move { office_http::find(&app, person, text).await })
        }))
        .hook(OnRegistered(on_registered))
        .hook(OnStateChanged(on_state_changed))
}
