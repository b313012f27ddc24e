//! The application: the states of all domains, put together in the order in which they stand on each
//! other. Only the server knows it.

use std::sync::{Arc, OnceLock};

use agents::Agents;
use content::Content;
use games::Games;
use identity::Identity;
use members::Members;
use platform::Core;
use platform::clock::Clock;
use platform::module::Module;
use platform::pages::Pages;
use platform::secret::RootKey;
use platform::shutdown::Shutdown;
use platform::state::Build;
use service::Service;
use site::Site;
use sqlx::PgPool;
use staff::{Finder, Names, Staff};
use studio::Studio;
use support::Support;
use wallet::Wallet;

use crate::config::Config;
use crate::front::Documents;
use crate::{dist, ground, modules};

/// A cheap handle to the one application.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the application is made of.
pub struct Parts {
    core: Core,
    /// The environment's decisions.
    pub config: Config,
    /// The office.
    pub staff: Staff,
    /// Merchants.
    pub site: Site,
    /// What sites tell their visitors.
    pub content: Content,
    /// Accounts.
    pub members: Members,
    /// The ways into them.
    pub identity: Identity,
    /// The ledger.
    pub wallet: Wallet,
    /// The catalogue.
    pub games: Games,
    /// Our own games.
    pub studio: Studio,
    /// How the house runs.
    pub service: Service,
    /// Feedback.
    pub support: Support,
    /// Affiliates.
    pub agents: Agents,
    /// Documents of the players' site that are ready.
    pub documents: Documents,
    finders: OnceLock<Vec<Finder>>,
    names: OnceLock<Vec<Names>>,
}

platform::state! {
    App over Parts {
        staff: Staff,
        site: Site,
        content: Content,
        members: Members,
        identity: Identity,
        wallet: Wallet,
        games: Games,
        studio: Studio,
        service: Service,
        support: Support,
        agents: Agents,
    }
}

impl App {
    /// Puts the application together.
    pub fn new(
        config: Config,
        db: PgPool,
        clock: Clock,
        root: &RootKey,
        shutdown: Shutdown,
    ) -> Self {
        let build =
            Build { pages: Pages::load(dist::find), newest_migration: ground::newest_migration() };
        let core = Core::new(config.platform.clone(), (db, clock), root, build, shutdown);
        let staff = Staff::new(core.clone());
        let site = Site::new(core.clone(), staff.clone());
        let members = Members::new(core.clone(), staff.clone(), site.clone());
        let identity = Identity::new(members.clone(), config.identity.clone());
        let wallet = Wallet::new(identity.clone());
        let games = Games::new(wallet.clone());
        let studio = Studio::new(games.clone(), config.lanes);
        let app = Self(Arc::new(Parts {
            content: Content::new(core.clone(), staff.clone(), site.clone()),
            service: Service::new(studio.clone()),
            support: Support::new(identity.clone()),
            agents: Agents::new(identity.clone()),
            documents: Documents::default(),
            finders: OnceLock::new(),
            names: OnceLock::new(),
            core,
            config,
            staff,
            site,
            members,
            identity,
            wallet,
            games,
            studio,
        }));
        app.bind(&modules::list(&app));
        app
    }

    /// Gives each domain the hooks that modules have for it. Hooks that a domain keeps are plain functions:
    /// one that held the state of a domain above would keep both alive for ever. Hooks with a state of
    /// their own are kept here, where nothing stands above.
    fn bind(&self, modules: &[Module]) {
        self.staff.bind(modules);
        self.site.bind(modules);
        self.members.bind(modules);
        let finders = modules.iter().flat_map(Module::hooks).collect();
        let names = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.finders.set(finders).is_ok() && self.names.set(names).is_ok());
    }

    /// What finds things for the office's palette.
    pub(crate) fn finders(&self) -> &[Finder] {
        self.finders.get().map_or(&[], Vec::as_slice)
    }

    /// What tells names to the office's trail.
    pub(crate) fn names(&self) -> &[Names] {
        self.names.get().map_or(&[], Vec::as_slice)
    }
}
