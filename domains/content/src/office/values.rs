//! Validation and normalization of content, kind by kind.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;
use utoipa::ToSchema;

use crate::model::{
    AnnouncementData, AnnouncementType, AppKind, ArticleData, BannerData, DownloadData, GROUPS,
    Kind, LinkageType, PAGES, PromotionData, Texts,
};
use platform::error::ApiError;
use platform::extract::usable_time;
use platform::html;
use platform::language::Language;

const URL_MAX: usize = 500;
const SLUG_MAX: usize = 40;
const VERSION_MAX: usize = 40;
/// The hosts of videos that a banner may link to.
const VIDEO_HOSTS: &[&str] = &[
    "youtube.com",
    "www.youtube.com",
    "m.youtube.com",
    "youtu.be",
    "www.youtube-nocookie.com",
    "vimeo.com",
    "player.vimeo.com",
];

/// A content item as staff write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContentValue {
    /// The group of a banner, the name of a page or section, the platform of a download. Empty for
    /// other kinds; articles get the slot of their section.
    #[serde(default)]
    pub(super) slot: String,
    pub(super) is_shown: bool,
    /// The time from which it is visible.
    pub(super) starts_at: Option<DateTime<Utc>>,
    /// The time until which it is visible.
    pub(super) ends_at: Option<DateTime<Utc>>,
    /// The fields of its kind, besides texts.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub(super) data: Value,
    /// Texts: language → field → text.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, String>>)]
    pub(super) texts: Texts,
}

/// A text field of a kind of content.
struct Field {
    name: &'static str,
    max_chars: usize,
    is_html: bool,
}

const fn plain(name: &'static str, max_chars: usize) -> Field {
    Field { name, max_chars, is_html: false }
}

const fn rich(name: &'static str) -> Field {
    Field { name, max_chars: html::LONGEST, is_html: true }
}

/// The text fields of a kind.
fn fields(kind: Kind) -> &'static [Field] {
    match kind {
        Kind::Banner => const { &[plain("title", 120), plain("text", 300), plain("alt", 200)] },
        Kind::Announcement | Kind::Notice | Kind::HelpArticle | Kind::Page => {
            const { &[plain("title", 200), rich("content")] }
        }
        Kind::HelpSection => const { &[plain("title", 120)] },
        Kind::Promotion => {
            const { &[plain("title", 120), plain("summary", 300), rich("content"), rich("terms")] }
        }
        Kind::Download => const { &[plain("name", 60)] },
    }
}

/// Validation errors: field → code.
type Faults = Vec<(String, &'static str)>;

impl ContentValue {
    /// The value with HTML sanitized and all fields normalized, or the validation errors.
    pub(super) fn checked(self, kind: Kind) -> Result<Self, ApiError> {
        let (starts_at, ends_at) =
            (usable_time("startsAt", self.starts_at)?, usable_time("endsAt", self.ends_at)?);
        let mut faults = Faults::new();
        if starts_at.zip(ends_at).is_some_and(|(start, end)| end <= start) {
            faults.push(("endsAt".into(), "too_early"));
        }
        let data = checked_data(kind, &self.data, &mut faults);
        let slot = slot_of(kind, self.slot, &data);
        check_slot(kind, &slot, &mut faults);
        let texts = checked_texts(kind, self.texts, &mut faults);
        match faults.is_empty() {
            true => Ok(Self { slot, data, texts, starts_at, ends_at, ..self }),
            false => Err(ApiError::fields(faults)),
        }
    }
}

/// Help articles get the slot of their section.
fn slot_of(kind: Kind, slot: String, data: &Value) -> String {
    match (kind, &data["section"]) {
        (Kind::HelpArticle, Value::String(section)) => section.clone(),
        _ => slot,
    }
}

fn check_slot(kind: Kind, slot: &str, faults: &mut Faults) {
    let is_known = match kind {
        Kind::Banner => GROUPS.contains(&slot),
        Kind::Page => PAGES.contains(&slot),
        Kind::Download => AppKind::parse(slot).is_some(),
        Kind::HelpSection => slot.is_empty() || is_slug(slot),
        Kind::HelpArticle => is_slug(slot),
        Kind::Announcement | Kind::Notice | Kind::Promotion => slot.is_empty(),
    };
    if !is_known {
        faults.push(("slot".into(), "unknown"));
    }
}

/// Words of lowercase letters and digits, separated by single hyphens, 40 characters at most.
fn is_slug(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= SLUG_MAX && text.split('-').all(is_word)
}

/// Validates the fields of a kind and gives them in normalized form.
fn checked_data(kind: Kind, data: &Value, faults: &mut Faults) -> Value {
    match kind {
        Kind::Banner => check(data, faults, |data: &BannerData, faults| {
            check_image(data.image.as_deref(), faults);
            check_link(data, faults);
        }),
        Kind::Announcement => check(data, faults, |data: &AnnouncementData, faults| {
            if data.promotion.as_deref().is_some_and(|slug| !is_slug(slug)) {
                faults.push(("data.promotion".into(), "pattern"));
            }
            // Only a popup has an audience; the public announcement is for everybody.
            if (data.kind == AnnouncementType::Popup) != data.execution.is_some() {
                faults.push(("data.execution".into(), "invalid"));
            }
        }),
        Kind::HelpArticle => check(data, faults, |data: &ArticleData, faults| {
            check_slug(&data.slug, faults);
        }),
        Kind::Promotion => check(data, faults, |data: &PromotionData, faults| {
            check_slug(&data.slug, faults);
            check_image(data.image.as_deref(), faults);
        }),
        Kind::Download => check(data, faults, |data: &DownloadData, faults| {
            if data.url.as_deref().is_some_and(|url| !is_link(url)) {
                faults.push(("data.url".into(), "pattern"));
            }
            if data.version.as_ref().is_some_and(|version| !is_version(version)) {
                faults.push(("data.version".into(), "pattern"));
            }
        }),
        Kind::Notice | Kind::HelpSection | Kind::Page => json!({}),
    }
}

/// Parses the fields of a kind, runs further checks and gives them in normalized form.
fn check<T: DeserializeOwned + Serialize>(
    data: &Value,
    faults: &mut Faults,
    validate: impl Fn(&T, &mut Faults),
) -> Value {
    match T::deserialize(data) {
        Ok(read) => {
            validate(&read, faults);
            json!(read)
        }
        Err(_) => {
            faults.push(("data".into(), "invalid"));
            Value::Null
        }
    }
}

fn is_version(text: &str) -> bool {
    text.len() <= VERSION_MAX && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

fn check_slug(slug: &str, faults: &mut Faults) {
    if !is_slug(slug) {
        faults.push(("data.slug".into(), "pattern"));
    }
}

fn check_image(image: Option<&str>, faults: &mut Faults) {
    if image.is_some_and(|image| !is_link(image)) {
        faults.push(("data.image".into(), "pattern"));
    }
}

/// Whether a text is a path of the site or an HTTPS address elsewhere.
fn is_link(url: &str) -> bool {
    is_path(url) || https_url(url).is_some()
}

fn is_path(url: &str) -> bool {
    is_plain(url) && url.starts_with('/') && !url.starts_with("//")
}

/// Whether an address has no control characters, no whitespace, and no backslash, which browsers
/// treat as a slash.
fn is_plain(url: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
    url.len() <= URL_MAX && url.chars().all(is_allowed)
}

/// Parses an HTTPS address without a user name.
fn https_url(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok().filter(|_| is_plain(url))?;
    (url.scheme() == "https" && url.has_host() && url.username().is_empty()).then_some(url)
}

fn check_link(banner: &BannerData, faults: &mut Faults) {
    let url = banner.url.as_deref().unwrap_or("");
    let fits = match banner.linkage_type {
        LinkageType::None => url.is_empty(),
        LinkageType::Route => is_path(url),
        LinkageType::Promotion | LinkageType::Game => is_path(url) || is_slug(url),
        LinkageType::Outside => https_url(url).is_some(),
        LinkageType::Video => https_url(url)
            .is_some_and(|url| url.host_str().is_some_and(|host| VIDEO_HOSTS.contains(&host))),
    };
    if !fits {
        faults.push(("data.url".into(), "pattern"));
    }
}

/// Validates the texts and normalizes them: HTML is sanitized, plain text is trimmed, and languages
/// without any text are left out.
fn checked_texts(kind: Kind, texts: Texts, faults: &mut Faults) -> Texts {
    let mut checked = Texts::new();
    for (language, fields) in texts {
        if Language::parse(&language).is_none() {
            faults.push((format!("texts.{language}"), "unknown"));
            continue;
        }
        let fields = checked_fields(kind, &language, fields, faults);
        let has_text = fields.values().any(|text| !text.is_empty());
        if has_text && fields.get(kind.headline()).is_none_or(String::is_empty) {
            faults.push((format!("texts.{language}.{}", kind.headline()), "required"));
        }
        if has_text {
            checked.insert(language, fields);
        }
    }
    if checked.is_empty() {
        faults.push(("texts".into(), "required"));
    }
    checked
}

/// Validates and normalizes the texts of one language.
fn checked_fields(
    kind: Kind,
    language: &str,
    texts: BTreeMap<String, String>,
    faults: &mut Faults,
) -> BTreeMap<String, String> {
    let mut checked = BTreeMap::new();
    for (name, text) in texts {
        let path = || format!("texts.{language}.{name}");
        let Some(field) = fields(kind).iter().find(|field| field.name == name) else {
            faults.push((path(), "unknown"));
            continue;
        };
        let text = match field.is_html {
            true => html::clean(&text).map_err(html::Refused::code),
            false if text.trim().chars().count() > field.max_chars => Err("too_long"),
            false => Ok(text.trim().to_owned()),
        };
        match text {
            Ok(text) if text.contains('\0') => faults.push((path(), "invalid")),
            Ok(text) => drop(checked.insert(name, text)),
            Err(code) => faults.push((path(), code)),
        }
    }
    checked
}
