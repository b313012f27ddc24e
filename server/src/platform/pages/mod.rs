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

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;

use self::dist::Dist;
use self::document::{Cache, Rendered};
use self::negotiate::{Asked, Representation};
use self::policy::Policy;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
    <title>Capiz</title><h1>The web has not been built</h1>\
    <p>Stop the server and start it with <code>make run</code>, or build the web with \
    <code>npm install</code> and <code>npm run build</code> in <code>web/</code>.</p></html>";
const VARY_PLAYER: &str = "Cookie, Accept-Language, Accept-Encoding";
const VARY_PLAIN: &str = "Accept-Encoding";

/// The built web.
pub struct Pages {
    dist: Dist,
    cache: Mutex<Cache>,
}

impl Pages {
    /// The web of this build.
    pub fn load() -> Self {
        Self::over(Dist::Built)
    }

    fn over(dist: Dist) -> Self {
        Self { dist, cache: Mutex::default() }
    }

    /// A document of the players' site, such as `home.en.html`, with its boot data.
    pub fn document(
        &self,
        name: &str,
        boot: &Value,
        status: StatusCode,
        request: &Parts,
    ) -> Response {
        let Some(rendered) = self.rendered(name, Some(boot), Policy::Player) else {
            return not_built(StatusCode::SERVICE_UNAVAILABLE);
        };
        let mut response = send(request, &rendered, status, VARY_PLAYER);
        // A sign-in through somebody else happens in a window that must find its way back.
        let opener = HeaderValue::from_static("same-origin-allow-popups");
        response.headers_mut().insert("cross-origin-opener-policy", opener);
        response
    }

    /// The document inside the game's sandboxed frame.
    pub fn game_frame(&self, request: &Parts) -> Response {
        let Some(rendered) = self.rendered("game.html", None, Policy::Frame) else {
            return not_built(StatusCode::SERVICE_UNAVAILABLE);
        };
        let mut response = send(request, &rendered, StatusCode::OK, VARY_PLAIN);
        // With another value browsers refuse to open a sandboxed document by itself.
        let opener = HeaderValue::from_static("unsafe-none");
        response.headers_mut().insert("cross-origin-opener-policy", opener);
        response
    }

    /// The office.
    pub fn office(&self, status: StatusCode, request: &Parts) -> Response {
        match self.rendered("office.html", None, Policy::Office) {
            Some(rendered) => send(request, &rendered, status, VARY_PLAIN),
            None => not_built(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    /// The page for hosts that belong to no merchant; `lang` is `en` or `fil`.
    pub fn domain(&self, lang: &str, request: &Parts) -> Response {
        let localized = self.rendered(&format!("domain.{lang}.html"), None, Policy::Domain);
        let page = localized.or_else(|| self.rendered("domain.en.html", None, Policy::Domain));
        match page {
            Some(rendered) => send(request, &rendered, StatusCode::NOT_FOUND, VARY_PLAYER),
            None => not_built(StatusCode::NOT_FOUND),
        }
    }

    /// A file of the build, by the request's path; None when there is none of that name.
    pub fn asset(&self, request: &Parts) -> Option<Response> {
        files::file(&self.dist, request)
    }

    /// Boot data, document and policy put together, once for as long as none of them changes.
    fn rendered(&self, name: &str, boot: Option<&Value>, policy: Policy) -> Option<Arc<Rendered>> {
        let source = self.dist.get(name)?;
        let boot = boot.map(document::escape);
        let key = document::key(name, &source.hash, boot.as_deref());
        if let Some(found) = self.lock().find(&key) {
            return Some(found);
        }
        // Rendered outside the lock: two requests may do the same work, none waits for it.
        let rendered = Arc::new(document::render(&source.data, boot.as_deref(), &key, policy)?);
        self.lock().keep(key, Arc::clone(&rendered));
        Some(rendered)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(request: &Parts, rendered: &Rendered, status: StatusCode, vary: &'static str) -> Response {
    let asked = Asked::of(request);
    let gzip = asked.accepts("gzip");
    let representation = Representation {
        body: if gzip { rendered.gzip.clone() } else { rendered.identity.clone() },
        encoding: gzip.then_some("gzip"),
        etag: if gzip {
            format!("\"{}-gz\"", rendered.tag)
        } else {
            format!("\"{}\"", rendered.tag)
        },
        content_type: "text/html; charset=utf-8",
        cache_control: "no-cache",
        vary,
    };
    let mut response = negotiate::respond(&asked, representation, status);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, rendered.policy.clone());
    response
}

fn not_built(status: StatusCode) -> Response {
    let policy = [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")];
    (status, policy, Html(NOT_BUILT)).into_response()
}
