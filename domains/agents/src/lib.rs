//! Agents: today who wants to become one.
//!
//! Owns the tables `agents_*`. Members and visitors apply to be affiliates; the office decides
//! once. A decision is an answer to the applicant and makes nobody an agent by itself. A member
//! has one open application at most, which the table says, too.

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
}

platform::state! {
    Agents over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Agents {
    /// The domain of an installation.
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

/// What the domain brings to the server.
pub fn module(state: &Agents) -> Module {
    Module::new("agents")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
}
