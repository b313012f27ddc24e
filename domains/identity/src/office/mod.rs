//! The office's work on members: search, the member's file and sessions, freezing and closing
//! accounts, requiring a new password. Staff never see a password and never choose one.

mod actions_http;
mod file_http;
mod list_http;
mod ops;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::Identity;

/// The routes of the office.
pub fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(list_http::routes())
        .merge(file_http::routes())
        .merge(actions_http::routes())
}
