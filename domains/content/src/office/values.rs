//! What content may be made of, kind by kind.

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

const URL_MOST: usize = 500;
const SLOT_MOST: usize = 40;
const VERSION_MOST: usize = 40;
/// Where films come from.
const VIDEO_HOSTS: &[&str] = &[
    "youtube.com",
    "www.youtube.com",
    "m.youtube.com",
    "youtu.be",
    "www.youtube-nocookie.com",
    "vimeo.com",
    "player.vimeo.com",
];

/// A piece of content as staff write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContentValue {
    /// The group of a banner, the name of a page or section, the device of a download; else
    /// nothing.
    #[serde(default)]
    pub(super) slot: String,
    pub(super) is_shown: bool,
    /// From when it is seen.
    pub(super) starts_at: Option<DateTime<Utc>>,
    /// Until when it is seen.
    pub(super) ends_at: Option<DateTime<Utc>>,
    /// What its kind needs beside words.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub(super) data: Value,
    /// Language → field → words.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, String>>)]
    pub(super) texts: Texts,
}

/// A field of a kind's words.
struct Field {
    name: &'static str,
    longest: usize,
    is_html: bool,
}

const fn line(name: &'static str, longest: usize) -> Field {
    Field { name, longest, is_html: false }
}

const fn html_of(name: &'static str) -> Field {
    Field { name, longest: html::LONGEST, is_html: true }
}

/// The words of a kind.
fn fields(kind: Kind) -> &'static [Field] {
    match kind {
        Kind::Banner => const { &[line("title", 120), line("text", 300), line("alt", 200)] },
        Kind::Announcement | Kind::Notice | Kind::HelpArticle | Kind::Page => {
            const { &[line("title", 200), html_of("content")] }
        }
        Kind::HelpSection => const { &[line("title", 120)] },
        Kind::Promotion => {
            const { &[line("title", 120), line("summary", 300), html_of("content"), html_of("terms")] }
        }
        Kind::Download => const { &[line("name", 60)] },
    }
}

/// Which fields are wrong, and how.
type Faults = Vec<(String, &'static str)>;

impl ContentValue {
    /// The same, cleaned and in one form, or what is wrong with it.
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

/// Articles stand in the slot of their section.
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

/// Small letters and digits with dashes between them.
fn is_slug(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= SLOT_MOST && text.split('-').all(is_word)
}

/// The data in the one form in which it is kept.
fn checked_data(kind: Kind, data: &Value, faults: &mut Faults) -> Value {
    match kind {
        Kind::Banner => check(data, faults, |data: &BannerData, faults| {
            check_picture(data.image.as_deref(), faults);
            check_link(data, faults);
        }),
        Kind::Announcement => check(data, faults, |data: &AnnouncementData, faults| {
            if data.promotion.as_deref().is_some_and(|slug| !is_slug(slug)) {
                faults.push(("data.promotion".into(), "pattern"));
            }
            // What opens by itself says to whom; the public announcement is everybody's.
            if (data.kind == AnnouncementType::Popup) != data.execution.is_some() {
                faults.push(("data.execution".into(), "invalid"));
            }
        }),
        Kind::HelpArticle => check(data, faults, |data: &ArticleData, faults| {
            check_slug(&data.slug, faults);
        }),
        Kind::Promotion => check(data, faults, |data: &PromotionData, faults| {
            check_slug(&data.slug, faults);
            check_picture(data.image.as_deref(), faults);
        }),
        Kind::Download => check(data, faults, |data: &DownloadData, faults| {
            if data.url.as_deref().is_some_and(|url| !is_place(url)) {
                faults.push(("data.url".into(), "pattern"));
            }
            if data.version.as_ref().is_some_and(|version| !is_version(version)) {
                faults.push(("data.version".into(), "pattern"));
            }
        }),
        Kind::Notice | Kind::HelpSection | Kind::Page => json!({}),
    }
}

fn check<T: DeserializeOwned + Serialize>(
    data: &Value,
    faults: &mut Faults,
    more: impl Fn(&T, &mut Faults),
) -> Value {
    match T::deserialize(data) {
        Ok(read) => {
            more(&read, faults);
            json!(read)
        }
        Err(_) => {
            faults.push(("data".into(), "invalid"));
            Value::Null
        }
    }
}

fn is_version(text: &str) -> bool {
    text.len() <= VERSION_MOST && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

fn check_slug(slug: &str, faults: &mut Faults) {
    if !is_slug(slug) {
        faults.push(("data.slug".into(), "pattern"));
    }
}

fn check_picture(image: Option<&str>, faults: &mut Faults) {
    if image.is_some_and(|image| !is_place(image)) {
        faults.push(("data.image".into(), "pattern"));
    }
}

/// A path of the site, or a place elsewhere that is reached by TLS.
fn is_place(url: &str) -> bool {
    is_path(url) || outside(url).is_some()
}

fn is_path(url: &str) -> bool {
    is_plain(url) && url.starts_with('/') && !url.starts_with("//")
}

/// An address has nothing in it that is not seen, and no stroke that browsers turn around.
fn is_plain(url: &str) -> bool {
    let is_seen = |c: char| !c.is_control() && !c.is_whitespace() && c != '\\';
    url.len() <= URL_MOST && url.chars().all(is_seen)
}

fn outside(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok().filter(|_| is_plain(url))?;
    (url.scheme() == "https" && url.has_host() && url.username().is_empty()).then_some(url)
}

fn check_link(banner: &BannerData, faults: &mut Faults) {
    let url = banner.url.as_deref().unwrap_or("");
    let fits = match banner.linkage_type {
        LinkageType::None => url.is_empty(),
        LinkageType::Route => is_path(url),
        LinkageType::Promotion | LinkageType::Game => is_path(url) || is_slug(url),
        LinkageType::Outside => outside(url).is_some(),
        LinkageType::Video => outside(url)
            .is_some_and(|url| url.host_str().is_some_and(|host| VIDEO_HOSTS.contains(&host))),
    };
    if !fits {
        faults.push(("data.url".into(), "pattern"));
    }
}

/// The words in the one form in which they are kept: HTML cleaned, lines trimmed, languages that
/// say nothing left out.
fn checked_texts(kind: Kind, texts: Texts, faults: &mut Faults) -> Texts {
    let mut kept = Texts::new();
    for (language, words) in texts {
        if Language::parse(&language).is_none() {
            faults.push((format!("texts.{language}"), "unknown"));
            continue;
        }
        let words = checked_words(kind, &language, words, faults);
        let says_something = words.values().any(|text| !text.is_empty());
        if says_something && words.get(kind.headline()).is_none_or(String::is_empty) {
            faults.push((format!("texts.{language}.{}", kind.headline()), "required"));
        }
        if says_something {
            kept.insert(language, words);
        }
    }
    if kept.is_empty() {
        faults.push(("texts".into(), "required"));
    }
    kept
}

fn checked_words(
    kind: Kind,
    language: &str,
    words: BTreeMap<String, String>,
    faults: &mut Faults,
) -> BTreeMap<String, String> {
    let mut kept = BTreeMap::new();
    for (name, text) in words {
        let place = || format!("texts.{language}.{name}");
        let Some(field) = fields(kind).iter().find(|field| field.name == name) else {
            faults.push((place(), "unknown"));
            continue;
        };
        let text = match field.is_html {
            true => html::clean(&text).map_err(html::Refused::code),
            false if text.trim().chars().count() > field.longest => Err("too_long"),
            false => Ok(text.trim().to_owned()),
        };
        match text {
            Ok(text) if text.contains('\0') => faults.push((place(), "invalid")),
            Ok(text) => drop(kept.insert(name, text)),
            Err(code) => faults.push((place(), code)),
        }
    }
    kept
}
