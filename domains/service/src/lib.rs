//! Service: how the house runs, for those who look after it.
//!
//! Owns `service_checks`: what the hourly checks of the ledger and of the trail found. All else is
//! read where it is: messages and jobs from the platform, the pulse of the writer, of push and of
//! the database from their own. Whatever is done here stands in the trail.

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
pub use checks::{Check, Found, LEDGER_JOB, ROUNDS_JOB, TRAIL_JOB, note_check};

/// The office's routes: health, jobs, messages, outside services.
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
    /// Our own games.
    pub studio: Studio,
}

platform::state! {
    Service over Parts { staff: Staff, site: Site, members: Members, identity: Identity, wallet: Wallet, studio: Studio }
}

impl Service {
    /// The domain of an installation.
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

/// What the domain brings to the server.
pub fn module(state: &Service) -> Module {
    let service = state.clone();
    Module::new("service")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .office(office_routes().with_state(state.clone()))
        .jobs(move |registry| register_jobs(registry, &service))
}
