//! Content: banners, announcements, notices, help, pages, promotions and downloads of a site.
//!
//! One table for all kinds: each has a place, a window of time, what its kind needs (`data`) and
//! its words in each language. What staff write is HTML of few tags, cleaned when it is written.
//! Every change raises the edition; a node keeps what it has read arranged in memory
//! (`library`), asks once a second whether the edition has risen, and compares windows with the
//! clock at every look.

mod files;
mod http;
mod library;
mod model;
mod office;
mod seeds;
mod store;
mod view;

pub use files::{get_file, get_lite_profile, get_profile};
pub use http::routes;
pub use library::{Library, boot, seen};
pub use seeds::{found, found_missing};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// The office's calls about content and files.
pub fn office_routes() -> OpenApiRouter<App> {
    office::office_routes().merge(files::office_routes())
}
