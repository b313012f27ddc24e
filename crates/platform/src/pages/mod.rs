//! Serves the built web: HTML documents with boot data and a Content-Security-Policy, and assets.
//!
//! Release builds embed `web/dist`; debug builds read it from disk at every request, so that a new
//! build of the web needs no restart. Invariants: every document has its Content-Security-Policy;
//! boot data contains nothing personal, so documents may have an ETag; only files of the build are
//! served.

mod dist;
mod document;
mod files;
mod negotiate;
mod policy;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;

use self::dist::Dist;
pub use self::dist::FindFile;
use self::document::Cache;
pub use self::document::Rendered;
use self::policy::Policy;
pub use self::policy::Sources;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Capiz</title><h1>The web has not been built</h1>\
    <p>Stop the server and start it with <code>make run</code>, or build the web with \
    <code>npm install</code> and <code>npm run build</code> in <code>web/</code>.</p></html>";

/// A document of the players' site to render.
pub struct DocumentRequest<'a> {
    /// The file name in the build, such as `home.en.html`.
    pub name: &'a str,
    /// The boot data: what the page knows before its first request.
    pub boot: &'a Value,
    /// The HTML of the head: title, description and metadata.
    pub head: &'a str,
    /// The external sources that its Content-Security-Policy allows.
    pub sources: &'a Sources,
}

/// Titles and descriptions of pages, with the hash of the file that they were parsed from.
type PageMeta = (FileHash, Arc<Value>);

/// The hash of a file of the build.
pub type FileHash = [u8; 32];

/// The built web.
pub struct Pages {
    dist: Dist,
    cache: Mutex<Cache>,
    page_meta: Mutex<HashMap<String, PageMeta>>,
}

impl Pages {
    /// The web of this build.
    pub fn load(find: FindFile) -> Self {
        Self::over(Dist::Built(find))
    }

    fn over(dist: Dist) -> Self {
        Self { dist, cache: Mutex::default(), page_meta: Mutex::default() }
    }

    /// Renders a document of the players' site. None if the web has not been built.
    pub fn document(&self, page: &DocumentRequest<'_>) -> Option<Arc<Rendered>> {
        let boot = document::escape(page.boot);
        let parts = document::Parts { boot: Some(&boot), head: Some(page.head) };
        self.rendered(page.name, parts, Policy::Player(page.sources))
    }

    /// The hashes of the files that a document of the players' site is made of. None in release
    /// builds, where the files are embedded and cannot change.
    pub fn files_of(&self, name: &str, lang: &str) -> [Option<FileHash>; 2] {
        let hash = |name: &str| self.dist.get(name).map(|file| file.hash);
        match self.dist.may_change() {
            true => [hash(name), hash(&meta_file(lang))],
            false => [None, None],
        }
    }

    /// The document of the sandboxed game frame.
    pub fn game_frame(&self, request: &Parts) -> Response {
        match self.rendered("game.html", document::Parts::default(), Policy::Frame) {
            Some(rendered) => rendered.answer(request, StatusCode::OK),
            None => not_built(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The document of the office.
    pub fn office(&self, status: StatusCode, request: &Parts) -> Response {
        match self.rendered("office.html", document::Parts::default(), Policy::Office) {
            Some(rendered) => rendered.answer(request, status),
            None => not_built(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The page for hosts without a merchant. `lang` is `en` or `fil`.
    pub fn domain(&self, lang: &str, request: &Parts) -> Response {
        let plain = document::Parts::default();
        let localized = self.rendered(&format!("domain.{lang}.html"), plain, Policy::Domain);
        let page = localized.or_else(|| self.rendered("domain.en.html", plain, Policy::Domain));
        match page {
            Some(rendered) => rendered.answer(request, StatusCode::NOT_FOUND),
            None => not_built(StatusCode::NOT_FOUND),
        }
    }

    /// The content of a file of the build, if it exists.
    pub fn bytes(&self, name: &str) -> Option<Bytes> {
        self.dist.get(name).map(|file| file.data)
    }

    /// The response with the file at the request's path. None if there is none.
    pub fn asset(&self, request: &Parts) -> Option<Response> {
        files::file(&self.dist, request)
    }

    /// The titles and descriptions of pages in a language: path → title and description, with `{0}`
    /// for the merchant's name. Empty if the web has not been built.
    pub fn words_of_pages(&self, lang: &str) -> Arc<Value> {
        let Some(file) = self.dist.get(&meta_file(lang)) else {
            return Arc::default();
        };
        let mut cached = self.page_meta.lock().unwrap_or_else(PoisonError::into_inner);
        match cached.get(lang) {
            Some((hash, meta)) if *hash == file.hash => Arc::clone(meta),
            _ => {
                let meta = Arc::new(serde_json::from_slice(&file.data).unwrap_or_default());
                cached.insert(lang.to_owned(), (file.hash, Arc::clone(&meta)));
                meta
            }
        }
    }

    /// Renders a document, or returns it from the cache if none of its inputs has changed.
    fn rendered(
        &self,
        name: &str,
        parts: document::Parts<'_>,
        policy: Policy<'_>,
    ) -> Option<Arc<Rendered>> {
        let source = self.dist.get(name)?;
        let key = document::key(name, &source.hash, parts, policy);
        if let Some(found) = self.lock().find(&key) {
            return Some(found);
        }
        // Rendered outside the lock: two requests may render the same document, but none waits.
        let rendered = Arc::new(document::render(&source.data, parts, &key, policy)?);
        self.lock().insert(key, Arc::clone(&rendered));
        Some(rendered)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of the file with the titles and descriptions in a language.
fn meta_file(lang: &str) -> String {
    format!("meta.{lang}.json")
}

/// The response if the web has not been built.
pub fn not_built(status: StatusCode) -> Response {
    let policy = [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];
    (status, policy, Html(NOT_BUILT)).into_response()
}
