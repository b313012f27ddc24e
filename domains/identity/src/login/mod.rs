//! Login by username and password, or by a code that was sent to the phone.

pub(crate) mod enter;
pub(crate) mod guard;
mod http;
mod ops;
mod remember;
pub(crate) mod remember_store;

pub use http::Login;
pub(super) use ops::{Page, check_page};
use utoipa_axum::router::OpenApiRouter;

use crate::Identity;

pub(super) fn routes() -> OpenApiRouter<Identity> {
    http::routes().merge(remember::routes())
}
