//! Staff: the office, on a listener of its own.
//!
//! Owns the tables `staff_*`. Nothing is shared with members' sessions: people have a password and
//! an authenticator app, both always asked for, and a cookie that no script reads. What they may do
//! is the union of their roles' rights, and nothing else. Every action is written into the trail in
//! the transaction that does it.

mod approvals;
pub mod codes;
mod finding;
mod founding;
mod http;
mod jobs;
mod model;
mod ops;
mod people;
mod people_http;
mod proof;
mod proof_http;
pub mod rights;
mod socket;
mod store;
mod trail;
mod tries;

use std::sync::{Arc, OnceLock};

use platform::Core;
use platform::module::Module;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use platform::secret::{KeyedHash, RootKey};
use platform::totp::TotpSecret;
use platform::vault::Vault;

pub use approvals::{About, AboutMember, Describe, Execute, Facts, Matter, find_facts};
pub use finding::{Finder, FoundThing, Names, ids_of};
pub use founding::{DemoPerson, found, found_demo};
pub use http::{Allowed, require_own_page};
pub use jobs::purge;
pub use model::{Actor, NewcomerSecrets, OnDuty};
pub use proof_http::Proved;
pub use rights::{Asked, Right, Rights};
pub use socket::SocketIdentity;
pub use trail::{Broken, Checked, Deed, check as check_trail, check_reason, record};

/// The office's state.
#[derive(Clone)]
pub struct Staff(Arc<Parts>);

/// What the office's state is made of.
pub struct Parts {
    core: Core,
    office: OfficeKeys,
    matters: OnceLock<Vec<Matter>>,
    rights: OnceLock<Vec<Right>>,
}

platform::state! { Staff over Parts {} }

impl Staff {
    /// The office of an installation.
    pub fn new(core: Core) -> Self {
        let office = OfficeKeys::new(&core.root);
        Self(Arc::new(Parts { core, office, matters: OnceLock::new(), rights: OnceLock::new() }))
    }

    /// Takes in what all modules let people ask for; once, before anything is served.
    pub fn bind(&self, modules: &[Module]) {
        let matters = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.matters.set(matters).is_ok(), "the office was bound before");
        let rights = modules.iter().flat_map(Module::hooks).flat_map(|Rights(rights)| rights);
        assert!(self.rights.set(rights.copied().collect()).is_ok(), "the office was bound before");
    }

    /// Every right that there is, in the order of the modules.
    pub fn rights(&self) -> &[Right] {
        self.rights.get().map_or(&[], Vec::as_slice)
    }

    /// What staff may ask each other for.
    fn matters(&self) -> &[Matter] {
        self.matters.get().map_or(&[], Vec::as_slice)
    }
}

/// The keys of the office.
struct OfficeKeys {
    factors: Vault,
    trail: KeyedHash,
    /// What the code of a name is held against that nobody has.
    decoy: Vec<u8>,
}

impl OfficeKeys {
    /// The keys of an installation.
    fn new(root: &RootKey) -> Self {
        let factors = Vault::new(root, "staff/factors");
        let decoy = factors.lock(Uuid::nil().as_bytes(), TotpSecret::generate().as_bytes());
        Self {
            decoy: decoy.unwrap_or_default(),
            factors,
            trail: KeyedHash::new(root, "staff/trail"),
        }
    }
}

/// What the domain brings to the server.
pub fn module(state: &Staff) -> Module {
    let (office, finding, naming) = (state.clone(), state.clone(), state.clone());
    Module::new("staff")
        .hook(Rights(rights::ALL))
        .codes(codes::ALL)
        .office(routes().with_state(state.clone()))
        .jobs(move |registry| jobs::register(registry, &office))
        .hook(Finder::new(move |person, text| {
            let app = finding.clone();
            Box::pin(async move { approvals::find(&app, person, text).await })
        }))
        .hook(Names::new("person", Some(rights::StaffRead::RIGHT), move |ids| {
            let app = naming.clone();
            Box::pin(async move { people::name(&app, ids).await })
        }))
}

/// The routes of people, roles, approvals and the trail, on the office's listener.
fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new()
        .merge(http::routes())
        .merge(proof_http::routes())
        .merge(people_http::routes())
        .merge(approvals::routes())
        .merge(trail::routes())
}
