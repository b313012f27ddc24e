//! Staff: the office, on a listener of its own.
//!
//! Owns the tables `staff_*`. Nothing is shared with members' sessions: people have a password and
//! an authenticator app, both always asked for, and a cookie that no script reads. What they may do
//! is the union of their roles' rights, and nothing else. Every action is written into the trail in
//! the transaction that does it.

mod approvals;
mod founding;
mod http;
mod model;
mod ops;
mod people;
mod people_http;
mod proof;
mod proof_http;
mod rights;
mod socket;
mod store;
mod trail;
mod tries;

use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::App;
use crate::platform::secret::{KeyedHash, RootKey};
use crate::platform::totp::TotpSecret;
use crate::platform::vault::Vault;

pub use approvals::{
    About, AboutMember, Describe, Execute, Facts, Matter, find_facts, find_visible_kind,
};
pub use founding::{DemoPerson, found, found_demo};
pub use http::{Allowed, require_own_page};
pub use model::{Actor, NewcomerSecrets, OnDuty};
pub use ops::purge;
pub use proof_http::Proved;
pub use rights::{Asked, Right, asked};
pub use socket::SocketIdentity;
pub use store::list_names;
pub use trail::{Broken, Checked, Deed, check as check_trail, check_reason, record};

/// The keys of the office.
pub struct OfficeKeys {
    factors: Vault,
    trail: KeyedHash,
    /// What the code of a name is held against that nobody has.
    decoy: Vec<u8>,
}

impl OfficeKeys {
    /// The keys of an installation.
    pub fn new(root: &RootKey) -> Self {
        let factors = Vault::new(root, "staff/factors");
        let decoy = factors.lock(Uuid::nil().as_bytes(), TotpSecret::generate().as_bytes());
        Self {
            decoy: decoy.unwrap_or_default(),
            factors,
            trail: KeyedHash::new(root, "staff/trail"),
        }
    }
}

/// The routes of people, roles, approvals and the trail, on the office's listener.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(http::routes())
        .merge(proof_http::routes())
        .merge(people_http::routes())
        .merge(approvals::routes())
        .merge(trail::routes())
}
