//! Agents: applications to become an affiliate. Owns the tables `agents_*`.
//!
//! Members and visitors apply, and the office decides each application once. A decision is an
//! answer to the applicant and does not make the applicant an agent. A member has at most one open
//! application, which a unique index enforces, too.

use std::sync::Arc;

use identity::Identity;
use members::Members;
use platform::Core;
use platform::module::Module;
use site::Site;
use staff::Staff;

pub mod codes;
mod http;
mod model;
mod office_http;
mod ops;
pub mod rights;
mod store;

pub use model::{ContactKind, NewApplication};
pub use ops::apply;

/// The state of the domain.
#[derive(Clone)]
pub struct Agents(Arc<Parts>);

/// The parts of the domain state.
pub struct Parts {
    core: Core,
    /// The staff domain.
    pub staff: Staff,
    /// The site domain.
    pub site: Site,
    /// The members domain.
    pub members: Members,
    /// The identity domain.
    pub identity: Identity,
}

platform::state! {
    Agents over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Agents {
    /// Creates the domain state.
    pub fn new(identity: Identity) -> Self {
        Self(Arc::new(Parts {
            core: Core::clone(&identity),
            staff: identity.staff.clone(),
            site: identity.site.clone(),
            members: identity.members.clone(),
            identity,
        }))
    }
}

/// The domain's module: routes, rights and error codes.
pub fn module(state: &Agents) -> Module {
    Module::new("agents")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
}
