//! Merchants (the brands of an installation) and their settings: hosts, switches, registration
//! rules, legal policies, brand and maintenance.
//!
//! Owns the tables `site_*` except those of the `content` domain. The request's host decides the
//! merchant; the header `Merchant` is read only on shared hosts, which belong to no single
//! merchant. A setting changed in the office (`office`) takes effect on every node within a second,
//! open pages get a push event, and the history keeps the old and the new value of every change.

use std::sync::{Arc, OnceLock};

use platform::Core;
use platform::module::Module;
use staff::Staff;

mod brand;
pub mod codes;
mod countries;
mod http;
mod model;
mod office;
pub mod rights;
mod rules;
mod store;
mod switches;

pub use brand::Brand;
pub use countries::dialing_codes;
pub use http::{AnyMerchant, OpenMerchant};
pub use model::{Directory, Merchant};
pub use rules::{FieldRule, Policy, RegisterRules};
pub use store::{NewMerchant, OnMerchantCreated, insert_merchant, is_empty, lock_merchant};
pub use switches::{Switch, SwitchNode};

/// The state of the domain, a cheap handle to its [`Parts`].
#[derive(Clone)]
pub struct Site(Arc<Parts>);

/// What [`Site`] shares between its clones.
pub struct Parts {
    core: Core,
    /// Staff accounts, their rights and the audit log.
    pub staff: Staff,
    /// Looks up merchants by host, from a cache.
    pub sites: Directory,
    on_merchant_created: OnceLock<Vec<OnMerchantCreated>>,
}

platform::state! { Site over Parts { staff: Staff } }

impl Site {
    /// Creates the state; [`Site::bind`] adds the hooks later.
    pub fn new(core: Core, staff: Staff) -> Self {
        let (sites, on_merchant_created) = (Directory::default(), OnceLock::new());
        Self(Arc::new(Parts { core, staff, sites, on_merchant_created }))
    }

    /// Collects the hooks that run when a merchant is created. Call once at start-up, before the
    /// server accepts requests: a second call panics.
    pub fn bind(&self, modules: &[Module]) {
        let hooks = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.on_merchant_created.set(hooks).is_ok(), "Site::bind must be called only once");
    }

    /// The hooks to run when a merchant is created.
    fn on_merchant_created(&self) -> &[OnMerchantCreated] {
        self.on_merchant_created.get().map_or(&[], Vec::as_slice)
    }
}

/// The domain's routes, error codes and staff rights.
pub fn module(state: &Site) -> Module {
    Module::new("site")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office::office_routes().with_state(state.clone()))
}
