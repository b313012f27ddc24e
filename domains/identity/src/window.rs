//! The page that a window ends on which was at another site: it tells the page that opened it,
//! and closes.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use platform::language::Language;

const STYLE: &str = "body{margin:0;min-height:100vh;display:grid;place-content:center;gap:1rem;\
    text-align:center;padding:1rem;font:1.1rem/1.5 system-ui,sans-serif;color-scheme:dark light}";

/// What the window says and does.
pub(super) struct Window {
    pub(super) status: StatusCode,
    pub(super) sentence: &'static str,
    /// Tells the opener and closes the window.
    pub(super) script: &'static str,
    /// What the script finds in the element `outcome`, where the server knows it.
    pub(super) outcome: Value,
}

impl Window {
    /// The page, in the visitor's language.
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

/// The window came from a page of ours and passes through another site: with our usual opener
/// policy it would lose its opener on the way. It also says to nobody where it has been.
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
