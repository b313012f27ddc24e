//! What the window of a sign-in ends with: a ticket for the page that opened it, or what went
//! wrong.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::window::Window;
use platform::error::ApiError;
use platform::language::Language;

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

/// What the window says.
struct Words {
    done: &'static str,
    failed: &'static str,
}

const ENGLISH: Words = Words {
    done: "You are signed in. You can close this window.",
    failed: "The sign-in did not work. Please close this window and try again.",
};
const TAGALOG: Words = Words {
    done: "Naka-sign in ka na. Maaari mong isara ang window na ito.",
    failed: "Hindi gumana ang pag-sign in. Isara ang window na ito at subukan muli.",
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
    Window { status, sentence, script: SCRIPT, outcome }.show(language)
}
