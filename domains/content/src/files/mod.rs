//! Files that staff upload, and the profiles that put the site on an iPhone's home screen.
//!
//! What a file is, is told by its bytes, never by its name. It is kept in the database, so that
//! every node has it, under the hash of what it holds.

mod http;
mod kinds;
mod profile;
mod store;

use axum::routing::get;
pub use http::{get_file, office_routes};
use utoipa_axum::router::OpenApiRouter;

use crate::Content;

/// The profiles that put the site on an iPhone's home screen.
pub(super) fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .route("/downloads/ios.mobileconfig", get(http::get_profile))
        .route("/downloads/ios-lite.mobileconfig", get(http::get_lite_profile))
}
