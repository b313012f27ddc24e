//! The last page of a social sign-in window: it posts a ticket or an error to the page that opened
//! it.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::window::Window;
use platform::error::ApiError;
use platform::language::Language;

/// Posts the outcome to the opener. If the pages of the provider have cut the opener relation, it
/// broadcasts to all pages of this site in this browser; the ticket works only on this device.
/// After a failure without an opener the window stays open, so that its text can be read.
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

/// The text of the page.
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

/// The page for a ticket or an error.
pub(super) fn show(language: Language, outcome: Result<String, ApiError>) -> Response {
    let words = match language {
        Language::English => ENGLISH,
        Language::Tagalog => TAGALOG,
    };
    let (status, sentence, outcome) = match outcome {
        Ok(ticket) => (StatusCode::OK, words.done, json!({ "ticket": ticket })),
        Err(error) => {
            let outcome = json!({ "error": error.code.text() });
            // `into_response` logs the cause; only its status is used, since the window shows a
            // page and no envelope.
            let status = error.into_response().status();
            (status, words.failed, outcome)
        }
    };
    Window { status, sentence, script: SCRIPT, outcome }.show(language)
}
