//! The language that a visitor reads.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::cookies;

/// A language that the site is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `EN`.
    English,
    /// `TY`.
    Tagalog,
}

impl Language {
    /// The cookie decides, then what the browser asks for, then English.
    pub fn of(headers: &HeaderMap) -> Self {
        Self::among(headers, |_| true, Self::English)
    }

    /// The same among the languages that are offered, and then the usual one.
    pub fn among(headers: &HeaderMap, is_offered: impl Fn(Self) -> bool, usual: Self) -> Self {
        let chosen = cookies::find(headers, "lang").and_then(Self::parse);
        let accepted = headers.get(header::ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok()).unwrap_or("");
        let asked = accepted.split(',').filter_map(Self::of_tag);
        chosen.into_iter().chain(asked).find(|language| is_offered(*language)).unwrap_or(usual)
    }

    /// The language of a tag as browsers ask for it, `fil-PH;q=0.9` for example.
    fn of_tag(tag: &str) -> Option<Self> {
        let name = tag.split([';', '-']).next().unwrap_or("").trim();
        let is = |tag: &str| name.eq_ignore_ascii_case(tag);
        if is("fil") || is("tl") {
            return Some(Self::Tagalog);
        }
        is("en").then_some(Self::English)
    }

    /// The language of one of the site's codes.
    pub fn parse(code: &str) -> Option<Self> {
        match code {
            "EN" => Some(Self::English),
            "TY" => Some(Self::Tagalog),
            _ => None,
        }
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
