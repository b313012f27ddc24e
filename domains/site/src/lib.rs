//! Site: merchants and their hosts, switches, rules of registration, policies, start-up status.
//!
//! Owns the tables `site_*` but for those of content. The host decides the merchant; the header `Merchant` is heard
//! only on hosts that belong to no single merchant. What the operator changes (`office`) is
//! live on every node within a second, open pages hear of it, and every change is kept with
//! how it was before.

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
pub use store::{NewMerchant, OnFounded, insert_merchant, is_empty, lock_merchant};
pub use switches::{Switch, SwitchNode};

/// The state of the domain.
#[derive(Clone)]
pub struct Site(Arc<Parts>);

/// What the domain's state is made of.
pub struct Parts {
    core: Core,
    /// The office.
    pub staff: Staff,
    /// Finds merchants by host.
    pub sites: Directory,
    on_founded: OnceLock<Vec<OnFounded>>,
}

platform::state! { Site over Parts { staff: Staff } }

impl Site {
    /// The sites of an installation.
    pub fn new(core: Core, staff: Staff) -> Self {
        let (sites, on_founded) = (Directory::default(), OnceLock::new());
        Self(Arc::new(Parts { core, staff, sites, on_founded }))
    }

    /// Takes in what modules do with a new merchant; once, before anything is served.
    pub fn bind(&self, modules: &[Module]) {
        let hooks = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.on_founded.set(hooks).is_ok(), "the sites were bound before");
    }

    /// Who hears of a new merchant.
    fn on_founded(&self) -> &[OnFounded] {
        self.on_founded.get().map_or(&[], Vec::as_slice)
    }
}

/// What the domain brings to the server.
pub fn module(state: &Site) -> Module {
    Module::new("site")
        .hook(staff::Rights(rights::ALL))
        .codes(codes::ALL)
        .site(http::routes().with_state(state.clone()))
        .office(office::office_routes().with_state(state.clone()))
}
