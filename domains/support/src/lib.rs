//! Support: what members and visitors write to the house, and what it answers.
//!
//! Owns the tables `inbox_*`. Whoever is not logged in passes the human check; everybody has a
//! budget. Feedback is heard also where the site is closed: its replacement pages have no other
//! way to reach the house. It is answered once, and whoever wrote it as a member finds the answer
//! on the page, and in the mail where an address is verified.

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
mod texts;

pub use model::{NewFeedback, Question};
pub use ops::{answer, write};

/// The state of the domain.
#[derive(Clone)]
pub struct Support(Arc<Parts>);

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
    Support over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Support {
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
pub fn module(state: &Support) -> Module {
    Module::new("support")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
}
