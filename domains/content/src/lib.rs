//! Content: banners, announcements, notices, help, pages, promotions and downloads of a site.
//!
//! Owns the tables `site_content*`, `site_editions` and `site_file*`, which have kept their old names. One
//! table for all kinds: each has a place, a window of time, what its kind needs (`data`) and
//! its words in each language. What staff write is HTML of few tags, cleaned when it is written.
//! Every change raises the edition; a node keeps what it has read arranged in memory
//! (`library`), asks once a second whether the edition has risen, and compares windows with the
//! clock at every look.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use platform::Core;
use platform::module::Module;
use site::{OnFounded, Site};
use staff::Staff;

mod files;
mod http;
mod library;
mod model;
mod office;
pub mod rights;
mod seeds;
mod store;
mod view;

pub use library::{Library, boot, seen};
pub use seeds::{found, found_missing};
use utoipa_axum::router::OpenApiRouter;

/// The state of the domain.
#[derive(Clone)]
pub struct Content(Arc<Parts>);

/// What the domain's state is made of.
pub struct Parts {
    core: Core,
    /// The office.
    pub staff: Staff,
    /// The sites.
    pub site: Site,
    /// What sites tell their visitors.
    pub library: Library,
}

platform::state! { Content over Parts { staff: Staff, site: Site } }

impl Content {
    /// The content of an installation.
    pub fn new(core: Core, staff: Staff, site: Site) -> Self {
        Self(Arc::new(Parts { core, staff, site, library: Library::default() }))
    }
}

/// Gives a new merchant its first content.
pub const ON_FOUNDED: OnFounded = OnFounded(|tx, id, now| Box::pin(found(tx, id, now)));

/// What the domain brings to the server.
pub fn module(state: &Content) -> Module {
    Module::new("content")
        .hook(staff::Rights(rights::ALL))
        .site(http::routes().merge(files::routes()).with_state(state.clone()))
        .office(office_routes().with_state(state.clone()))
        .hook(ON_FOUNDED)
}

/// The office's calls about content and files.
fn office_routes() -> OpenApiRouter<Content> {
    office::office_routes().merge(files::office_routes())
}

/// Files that staff have uploaded, for both listeners: no calls of the API.
pub fn files(state: &Content) -> Router {
    Router::new().route("/files/{name}", get(files::get_file)).with_state(state.clone())
}
