//! The language that a visitor reads.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::cookies;

/// A language that the site is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `EN`.
    English,
    /// `TY`.
    Tagalog,
}

impl Language {
    /// The cookie decides, then what the browser asks for, then English.
    pub fn of(headers: &HeaderMap) -> Self {
        match cookies::find(headers, "lang") {
            Some("EN") => Self::English,
            Some("TY") => Self::Tagalog,
            _ => {
                let accepted = headers.get(header::ACCEPT_LANGUAGE);
                Self::asked_for(accepted.and_then(|value| value.to_str().ok()).unwrap_or(""))
            }
        }
    }

    fn asked_for(accept: &str) -> Self {
        let first =
            accept.split(',').map(|part| part.split([';', '-']).next().unwrap_or("").trim());
        for tag in first {
            match tag.to_ascii_lowercase().as_str() {
                "fil" | "tl" => return Self::Tagalog,
                "en" => return Self::English,
                _ => {}
            }
        }
        Self::English
    }

    /// The site's code of it.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "EN",
            Self::Tagalog => "TY",
        }
    }

    /// The suffix of its documents.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Tagalog => "fil",
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}
