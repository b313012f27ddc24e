//! Staff: accounts, roles, sessions, approvals and the audit log of the back office, which has its
//! own listener.
//!
//! Owns the tables `staff_*`. Nothing is shared with members' sessions: staff always log in with a
//! password and a code of an authenticator app (TOTP), and the session cookie is not readable by
//! scripts. A person's rights are the union of the rights of their roles. Every action adds an
//! audit entry in its own transaction.

mod approvals;
mod audit_log;
pub mod codes;
mod finding;
mod first_admin;
mod http;
mod jobs;
mod model;
mod ops;
mod people;
mod people_http;
mod reauthentication;
mod reauthentication_http;
pub mod rights;
mod socket;
mod store;
mod tries;

use std::sync::{Arc, OnceLock};

use platform::Core;
use platform::module::Module;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use platform::secret::{KeyedHash, RootKey};
use platform::totp::TotpSecret;
use platform::vault::Vault;

pub use approvals::{About, AboutMember, ApprovalKind, Describe, Execute, Facts, find_facts};
pub use audit_log::{AuditEntry, Broken, Checked, check as check_audit_log, check_reason, record};
pub use finding::{Finder, FoundThing, Names, ids_of};
pub use first_admin::{DemoPerson, create_demo_staff, found};
pub use http::{Allowed, require_own_page};
pub use jobs::purge;
pub use model::{Actor, InitialSecrets, StaffSession};
pub use reauthentication_http::RecentlyAuthenticated;
pub use rights::{RequiredRight, Right, Rights};
pub use socket::SocketIdentity;

/// The state of the domain.
#[derive(Clone)]
pub struct Staff(Arc<Parts>);

/// The parts of the state: the core, the keys of staff, and the hooks of all modules.
pub struct Parts {
    core: Core,
    keys: StaffKeys,
    approval_kinds: OnceLock<Vec<ApprovalKind>>,
    rights: OnceLock<Vec<Right>>,
}

platform::state! { Staff over Parts {} }

impl Staff {
    /// Builds the state; `bind` adds the hooks later.
    pub fn new(core: Core) -> Self {
        let keys = StaffKeys::new(&core.root);
        Self(Arc::new(Parts {
            core,
            keys,
            approval_kinds: OnceLock::new(),
            rights: OnceLock::new(),
        }))
    }

    /// Collects the approval kinds and rights of all modules. Called once, before requests are
    /// served.
    pub fn bind(&self, modules: &[Module]) {
        let approval_kinds = modules.iter().flat_map(Module::hooks).collect();
        assert!(self.approval_kinds.set(approval_kinds).is_ok(), "bind was called twice");
        let rights = modules.iter().flat_map(Module::hooks).flat_map(|Rights(rights)| rights);
        assert!(self.rights.set(rights.copied().collect()).is_ok(), "bind was called twice");
    }

    /// All rights, in the order of the modules.
    pub fn rights(&self) -> &[Right] {
        self.rights.get().map_or(&[], Vec::as_slice)
    }

    /// All kinds of approval requests, in the order of the modules.
    fn approval_kinds(&self) -> &[ApprovalKind] {
        self.approval_kinds.get().map_or(&[], Vec::as_slice)
    }
}

/// The keys of staff.
struct StaffKeys {
    /// Encrypts TOTP secrets.
    factors: Vault,
    /// Hashes the entries of the audit log.
    audit_log: KeyedHash,
    /// An encrypted TOTP secret to check codes against when the username does not exist, so that
    /// the login takes the same time.
    decoy: Vec<u8>,
}

impl StaffKeys {
    /// Derives the keys from the installation's root key.
    fn new(root: &RootKey) -> Self {
        let factors = Vault::new(root, "staff/factors");
        let decoy = factors.lock(Uuid::nil().as_bytes(), TotpSecret::generate().as_bytes());
        Self {
            decoy: decoy.unwrap_or_default(),
            factors,
            audit_log: KeyedHash::new(root, "staff/trail"),
        }
    }
}

/// The domain's module: rights, error codes, routes, jobs, and hooks for search and names.
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

/// The back-office routes of sessions, staff, roles, approvals and the audit log.
fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new()
        .merge(http::routes())
        .merge(reauthentication_http::routes())
        .merge(people_http::routes())
        .merge(approvals::routes())
        .merge(audit_log::routes())
}
