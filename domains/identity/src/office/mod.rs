//! What the office sees and does of members: the list, a member's file, where it is logged in, freezing
//! and closing an account, asking for another password. Staff never see a password and never choose
//! one.

mod deeds_http;
mod file_http;
mod list_http;
mod ops;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::Identity;

/// The office's calls.
pub fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(list_http::routes())
        .merge(file_http::routes())
        .merge(deeds_http::routes())
}
