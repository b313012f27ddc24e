//! Files that staff upload, and the iOS profiles that put the site on an iPhone's home screen.
//!
//! The type of a file is detected from its bytes, never from its name. Files are stored in the
//! database, so that every node has them, under the hash of their content.

mod http;
mod kinds;
mod profile;
mod store;

use axum::routing::get;
pub use http::{get_file, office_routes};
use utoipa_axum::router::OpenApiRouter;

use crate::Content;

/// The routes of the iOS profiles.
pub(super) fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .route("/downloads/ios.mobileconfig", get(http::get_profile))
        .route("/downloads/ios-lite.mobileconfig", get(http::get_lite_profile))
}
