//! Language negotiation: the `lang` cookie, then `Accept-Language`, then a default.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::cookies;

/// A language of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `EN`.
    English,
    /// `TY`.
    Tagalog,
}

impl Language {
    /// The language of a request: the cookie, then `Accept-Language`, then English.
    pub fn of(headers: &HeaderMap) -> Self {
        Self::among(headers, |_| true, Self::English)
    }

    /// Like [`Language::of`], restricted to the offered languages and with another default.
    pub fn among(headers: &HeaderMap, is_offered: impl Fn(Self) -> bool, default: Self) -> Self {
        let chosen = cookies::find(headers, "lang").and_then(Self::parse);
        let accepted = headers.get(header::ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok()).unwrap_or("");
        let accepted = accepted.split(',').filter_map(Self::of_tag);
        chosen.into_iter().chain(accepted).find(|language| is_offered(*language)).unwrap_or(default)
    }

    /// Parses one entry of `Accept-Language`, such as `fil-PH;q=0.9`.
    fn of_tag(tag: &str) -> Option<Self> {
        let name = tag.split([';', '-']).next().unwrap_or("").trim();
        let is = |tag: &str| name.eq_ignore_ascii_case(tag);
        if is("fil") || is("tl") {
            return Some(Self::Tagalog);
        }
        is("en").then_some(Self::English)
    }

    /// Parses the site's language code.
    pub fn parse(code: &str) -> Option<Self> {
        match code {
            "EN" => Some(Self::English),
            "TY" => Some(Self::Tagalog),
            _ => None,
        }
    }

    /// The site's language code, as in the cookie and the API.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "EN",
            Self::Tagalog => "TY",
        }
    }

    /// The language tag, used as the suffix of document names.
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
