//! Editable content of a site: banners, announcements, notices, help, pages, promotions, downloads
//! and uploaded files.
//!
//! Owns the tables `site_content*`, `site_editions` and `site_file*`. All kinds of content share
//! one table: an item has a slot and a position, an optional start and end, fields of its kind
//! (`data`), and texts in each language. Staff write HTML with a short list of allowed tags, which
//! is sanitized when it is saved. Every change raises the edition number. Each node keeps all
//! content in memory (`library`), checks once a second whether the edition has risen, and compares
//! start and end with the clock at every read.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use platform::Core;
use platform::module::Module;
use site::{OnMerchantCreated, Site};
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
pub use seeds::{create_first_content, create_missing};
use utoipa_axum::router::OpenApiRouter;

/// The state of the domain, a cheap handle to its [`Parts`].
#[derive(Clone)]
pub struct Content(Arc<Parts>);

/// What [`Content`] shares between its clones.
pub struct Parts {
    core: Core,
    /// Staff accounts, their rights and the audit log.
    pub staff: Staff,
    /// Merchants and their settings.
    pub site: Site,
    /// The content of all merchants, cached in memory.
    pub library: Library,
}

platform::state! { Content over Parts { staff: Staff, site: Site } }

impl Content {
    /// Creates the state with an empty cache.
    pub fn new(core: Core, staff: Staff, site: Site) -> Self {
        Self(Arc::new(Parts { core, staff, site, library: Library::default() }))
    }
}

/// The hook that gives a new merchant its first content.
pub const ON_MERCHANT_CREATED: OnMerchantCreated =
    OnMerchantCreated(|tx, id, now| Box::pin(create_first_content(tx, id, now)));

/// The domain's routes, staff rights and hooks.
pub fn module(state: &Content) -> Module {
    Module::new("content")
        .hook(staff::Rights(rights::ALL))
        .site(http::routes().merge(files::routes()).with_state(state.clone()))
        .office(office_routes().with_state(state.clone()))
        .hook(ON_MERCHANT_CREATED)
}

/// The office routes for content and files.
fn office_routes() -> OpenApiRouter<Content> {
    office::office_routes().merge(files::office_routes())
}

/// The route that serves uploaded files, for both listeners. It is not part of the API document.
pub fn files(state: &Content) -> Router {
    Router::new().route("/files/{name}", get(files::get_file)).with_state(state.clone())
}
