//! The last page of a sign-in window: it posts the outcome to the page that opened the window, and
//! closes it.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use platform::language::Language;

const STYLE: &str = "body{margin:0;min-height:100vh;display:grid;place-content:center;gap:1rem;\
    text-align:center;padding:1rem;font:1.1rem/1.5 system-ui,sans-serif;color-scheme:dark light}";

/// Content of the page.
pub(super) struct Window {
    pub(super) status: StatusCode,
    pub(super) sentence: &'static str,
    /// JavaScript that posts the outcome to the opener and closes the window.
    pub(super) script: &'static str,
    /// JSON in the element `outcome`, which the script reads; null if only the browser knows the
    /// outcome.
    pub(super) outcome: Value,
}

impl Window {
    /// Renders the page in a language, with a Content-Security-Policy that allows only its own
    /// script and style.
    pub(super) fn show(self, language: Language) -> Response {
        let Self { status, sentence, script, outcome } = self;
        let back = match language {
            Language::English => "Back to the site",
            Language::Tagalog => "Bumalik sa site",
        };
        let html = format!(
            "<!doctype html><html lang=\"{lang}\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>Capiz</title>\
             <style>{STYLE}</style><main><p role=\"status\">{sentence}</p>\
             <p><a href=\"/\">{back}</a></p></main>\
             <script type=\"application/json\" id=\"outcome\">{outcome}</script>\
             <script>{script}</script></html>",
            lang = language.tag(),
        );
        let mut response = (status, Html(html)).into_response();
        if let Ok(policy) = HeaderValue::from_str(&policy(script)) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        keep_opener(&mut response);
        response
    }
}

/// Relaxes `Cross-Origin-Opener-Policy` for a window that is redirected through another site: with
/// the default policy it would lose its opener. The referrer policy hides its URL from other sites.
pub(super) fn keep_opener(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("unsafe-none"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

fn policy(script: &str) -> String {
    let source = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        source(script),
        source(STYLE),
    )
}
