//! Service: operations in the back office: health, jobs, outgoing messages and outside services.
//!
//! Owns `service_checks`: the results of the hourly checks of the ledger, the audit log and rounds.
//! All other data is read from its owners: messages and jobs from the platform, statistics from the
//! wallet's writer, push and the database. Every action here adds an audit entry.

use std::sync::Arc;

use identity::Identity;
use members::Members;
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::Staff;
use studio::Studio;
use wallet::Wallet;

mod checks;
pub mod codes;
mod findings;
mod health;
mod health_http;
mod jobs_http;
mod outbox_http;
mod outside;
mod outside_http;
pub mod rights;
mod store;

use utoipa_axum::router::OpenApiRouter;

use checks::register_jobs;
pub use checks::{AUDIT_LOG_JOB, Check, Found, LEDGER_JOB, ROUNDS_JOB, store_check};

/// The back-office routes: health, jobs, messages, outside services.
fn office_routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .merge(health_http::routes())
        .merge(jobs_http::routes())
        .merge(outbox_http::routes())
        .merge(outside_http::routes())
}

/// The state of the domain.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

/// The parts of the state: the core, and the domains it uses.
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
    /// Our own games.
    pub studio: Studio,
}

platform::state! {
    Service over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet, studio: Studio }
}

impl Service {
    /// Builds the state on top of the studio and the domains below it.
    pub fn new(studio: Studio) -> Self {
        Self(Arc::new(Parts {
            core: Core::clone(&studio),
            staff: studio.staff.clone(),
            site: studio.site.clone(),
            members: studio.members.clone(),
            identity: studio.identity.clone(),
            wallet: studio.wallet.clone(),
            studio,
        }))
    }
}

/// The domain's module: rights, error codes, routes and jobs.
pub fn module(state: &Service) -> Module {
    let service = state.clone();
    Module::new("service")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .office(office_routes().with_state(state.clone()))
        .jobs(move |registry| register_jobs(registry, &service))
}
