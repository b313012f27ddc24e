//! The application state: the states of all domains, built in the order of their dependencies.

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
use crate::{bootstrap, dist, modules};

/// The application state; cloning it only copies a handle.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the application.
pub struct Parts {
    core: Core,
    /// The configuration from the environment.
    pub config: Config,
    /// Staff: the back office.
    pub staff: Staff,
    /// Merchants and their sites.
    pub site: Site,
    /// Banners, announcements, help and files.
    pub content: Content,
    /// Member accounts.
    pub members: Members,
    /// Sessions, login and registration.
    pub identity: Identity,
    /// The ledger.
    pub wallet: Wallet,
    /// The game catalogue.
    pub games: Games,
    /// Our own games.
    pub studio: Studio,
    /// Operations: health, jobs, messages.
    pub service: Service,
    /// Feedback.
    pub support: Support,
    /// Affiliates.
    pub agents: Agents,
    /// The cache of the players' site's HTML documents.
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
    /// Builds all states, then binds the hooks of the modules.
    pub fn new(
        config: Config,
        db: PgPool,
        clock: Clock,
        root: &RootKey,
        shutdown: Shutdown,
    ) -> Self {
        let build = Build {
            pages: Pages::load(dist::find),
            newest_migration: bootstrap::newest_migration(),
        };
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

    /// Gives each domain the hooks that modules declare for it. Hooks stored in a domain are plain
    /// functions: a hook that held the state of a dependent domain would make a reference cycle,
    /// and neither state would ever be freed. Hooks with a state of their own are stored here,
    /// since no state holds the `App`.
    fn bind(&self, modules: &[Module]) {
        self.staff.bind(modules);
        self.site.bind(modules);
        self.members.bind(modules);
        let finders = modules.iter().flat_map(Module::hooks).collect();
        let names = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.finders.set(finders).is_ok() && self.names.set(names).is_ok());
    }

    /// The finders of the back office's search palette.
    pub(crate) fn finders(&self) -> &[Finder] {
        self.finders.get().map_or(&[], Vec::as_slice)
    }

    /// The name lookups of the audit log.
    pub(crate) fn names(&self) -> &[Names] {
        self.names.get().map_or(&[], Vec::as_slice)
    }
}
