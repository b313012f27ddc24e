//! Support: feedback of members and visitors, and its answers. Owns the tables `inbox_*`.
//!
//! Senders who are not logged in pass the human check (proof of work), and every sender is rate
//! limited. Feedback is accepted on closed sites, too, because their replacement pages offer no
//! other contact. It is answered once. A member finds the answer on the feedback page, and gets it
//! by e-mail if an address is verified.

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
    Support over Parts { staff: Staff, site: Site, members: Members, identity: Identity }
}

impl Support {
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
pub fn module(state: &Support) -> Module {
    Module::new("support")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office_http::routes().with_state(state.clone()))
}
