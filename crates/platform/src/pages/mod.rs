//! The web inside the binary: documents with boot data and a policy, assets, art and fonts.
//!
//! Release builds carry `web/dist`, debug builds read it from disk at every request, so that
//! a new build of the web shows without a restart. Invariants: a document never leaves
//! without its Content-Security-Policy; nothing personal is in boot data, so a document may
//! carry an ETag; only names that the build made are served.

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

/// A document of the players' site that is asked for.
pub struct Wanted<'a> {
    /// As the build calls it, `home.en.html` for example.
    pub name: &'a str,
    /// What the page knows before its first request.
    pub boot: &'a Value,
    /// What the page says of itself.
    pub head: &'a str,
    /// What it may use from outside.
    pub sources: &'a Sources,
}

/// What pages are called and how they are described, with the hash of the file that said so.
type Words = (FileHash, Arc<Value>);

/// The hash of a file of the build.
pub type FileHash = [u8; 32];

/// The built web.
pub struct Pages {
    dist: Dist,
    cache: Mutex<Cache>,
    words: Mutex<HashMap<String, Words>>,
}

impl Pages {
    /// The web of this build.
    pub fn load(find: FindFile) -> Self {
        Self::over(Dist::Built(find))
    }

    fn over(dist: Dist) -> Self {
        Self { dist, cache: Mutex::default(), words: Mutex::default() }
    }

    /// A document of the players' site with its boot data and its head; none where the web has
    /// not been built.
    pub fn document(&self, wanted: &Wanted<'_>) -> Option<Arc<Rendered>> {
        let boot = document::escape(wanted.boot);
        let parts = document::Parts { boot: Some(&boot), head: Some(wanted.head) };
        self.rendered(wanted.name, parts, Policy::Player(wanted.sources))
    }

    /// The files that a document of the players' site is made of, by their hashes. They stay what
    /// they are where the build is inside the binary, and are not looked up there.
    pub fn files_of(&self, name: &str, lang: &str) -> [Option<FileHash>; 2] {
        let hash = |name: &str| self.dist.get(name).map(|file| file.hash);
        match self.dist.may_change() {
            true => [hash(name), hash(&words_name(lang))],
            false => [None, None],
        }
    }

    /// The document inside the game's sandboxed frame.
    pub fn game_frame(&self, request: &Parts) -> Response {
        match self.rendered("game.html", document::Parts::default(), Policy::Frame) {
            Some(rendered) => rendered.answer(request, StatusCode::OK),
            None => not_built(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The office.
    pub fn office(&self, status: StatusCode, request: &Parts) -> Response {
        match self.rendered("office.html", document::Parts::default(), Policy::Office) {
            Some(rendered) => rendered.answer(request, status),
            None => not_built(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The page for hosts that belong to no merchant; `lang` is `en` or `fil`.
    pub fn domain(&self, lang: &str, request: &Parts) -> Response {
        let plain = document::Parts::default();
        let localized = self.rendered(&format!("domain.{lang}.html"), plain, Policy::Domain);
        let page = localized.or_else(|| self.rendered("domain.en.html", plain, Policy::Domain));
        match page {
            Some(rendered) => rendered.answer(request, StatusCode::NOT_FOUND),
            None => not_built(StatusCode::NOT_FOUND),
        }
    }

    /// What a file of the build holds, if there is one of that name.
    pub fn bytes(&self, name: &str) -> Option<Bytes> {
        self.dist.get(name).map(|file| file.data)
    }

    /// A file of the build, by the request's path; None when there is none of that name.
    pub fn asset(&self, request: &Parts) -> Option<Response> {
        files::file(&self.dist, request)
    }

    /// How the build calls and describes its pages in a language: path → title and description,
    /// with `{0}` for the merchant's name. Empty where the web has not been built.
    pub fn words_of_pages(&self, lang: &str) -> Arc<Value> {
        let Some(file) = self.dist.get(&words_name(lang)) else {
            return Arc::default();
        };
        let mut kept = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.get(lang) {
            Some((hash, words)) if *hash == file.hash => Arc::clone(words),
            _ => {
                let words = Arc::new(serde_json::from_slice(&file.data).unwrap_or_default());
                kept.insert(lang.to_owned(), (file.hash, Arc::clone(&words)));
                words
            }
        }
    }

    /// Parts, document and policy put together, once for as long as none of them changes.
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
        // Rendered outside the lock: two requests may do the same work, none waits for it.
        let rendered = Arc::new(document::render(&source.data, parts, &key, policy)?);
        self.lock().keep(key, Arc::clone(&rendered));
        Some(rendered)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file that says what pages are called in a language.
fn words_name(lang: &str) -> String {
    format!("meta.{lang}.json")
}

/// The answer where the web has not been built.
pub fn not_built(status: StatusCode) -> Response {
    let policy = [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];
    (status, policy, Html(NOT_BUILT)).into_response()
}
