//! The page that a sign-in's window ends on: it tells the page that opened it, and closes.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::platform::error::ApiError;
use crate::platform::language::Language;

/// Tells the opener, or where the provider's pages have cut that tie, every page of this site
/// in this browser; the ticket works on this device only. The window of a failure without
/// anybody to tell stays open, so that its words can be read.
const SCRIPT: &str = r#"
const outcome = JSON.parse(document.getElementById("outcome").textContent);
if (window.opener) {
  window.opener.postMessage(outcome, window.location.origin);
} else {
  const channel = new BroadcastChannel("capiz-social");
  channel.postMessage(outcome);
  channel.close();
}
if (window.opener || outcome.ticket) setTimeout(() => window.close(), 100);
"#;

const STYLE: &str = "body{margin:0;min-height:100vh;display:grid;place-content:center;gap:1rem;\
    text-align:center;padding:1rem;font:1.1rem/1.5 system-ui,sans-serif;color-scheme:dark light}";

/// What the window says.
struct Words {
    done: &'static str,
    failed: &'static str,
    back: &'static str,
}

const ENGLISH: Words = Words {
    done: "You are signed in. You can close this window.",
    failed: "The sign-in did not work. Please close this window and try again.",
    back: "Back to the site",
};
const TAGALOG: Words = Words {
    done: "Naka-sign in ka na. Maaari mong isara ang window na ito.",
    failed: "Hindi gumana ang pag-sign in. Isara ang window na ito at subukan muli.",
    back: "Bumalik sa site",
};

/// The page for a ticket, or for what went wrong.
pub(super) fn show(language: Language, outcome: Result<String, ApiError>) -> Response {
    let words = match language {
        Language::English => ENGLISH,
        Language::Tagalog => TAGALOG,
    };
    let (status, sentence, outcome) = match outcome {
        Ok(ticket) => (StatusCode::OK, words.done, json!({ "ticket": ticket })),
        Err(error) => {
            let outcome = json!({ "error": error.code.text() });
            // Wearing the envelope logs the cause; the envelope itself is not for a window.
            let status = error.into_response().status();
            (status, words.failed, outcome)
        }
    };
    let html = format!(
        "<!doctype html><html lang=\"{lang}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Capiz</title>\
         <style>{STYLE}</style><main><p role=\"status\">{sentence}</p>\
         <p><a href=\"/\">{back}</a></p></main>\
         <script type=\"application/json\" id=\"outcome\">{outcome}</script>\
         <script>{SCRIPT}</script></html>",
        lang = language.tag(),
        back = words.back,
    );
    let mut response = (status, Html(html)).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy()) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    keep_opener(&mut response);
    response
}

/// The window came from a page of ours and passes through another site: with our usual opener
/// policy it would lose its opener on the way. It also says to nobody where it has been.
pub(super) fn keep_opener(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("unsafe-none"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

fn policy() -> String {
    let source = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        source(SCRIPT),
        source(STYLE),
    )
}
