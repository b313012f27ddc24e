//! What content there is, and what each kind is made of.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

/// A kind of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Banner,
    Announcement,
    Notice,
    HelpSection,
    HelpArticle,
    Page,
    Promotion,
    Download,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Banner,
        Self::Announcement,
        Self::Notice,
        Self::HelpSection,
        Self::HelpArticle,
        Self::Page,
        Self::Promotion,
        Self::Download,
    ];

    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Banner => "banner",
            Self::Announcement => "announcement",
            Self::Notice => "notice",
            Self::HelpSection => "help_section",
            Self::HelpArticle => "help_article",
            Self::Page => "page",
            Self::Promotion => "promotion",
            Self::Download => "download",
        }
    }

    /// The kind of a stored name.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.text() == text)
    }

    /// Whether it has one order, whatever slots its pieces have. Articles call a section by its
    /// slot, so that no two share one.
    pub(super) fn is_one_list(self) -> bool {
        self == Self::HelpSection
    }

    /// The field without which a language has no words.
    pub(super) fn headline(self) -> &'static str {
        match self {
            Self::Download => "name",
            _ => "title",
        }
    }
}

/// Language → field → words.
pub(super) type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// One piece of content.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) kind: Kind,
    pub(super) slot: String,
    pub(super) position: i32,
    pub(super) is_shown: bool,
    pub(super) starts_at: Option<DateTime<Utc>>,
    pub(super) ends_at: Option<DateTime<Utc>>,
    pub(super) data: Value,
    pub(super) texts: Texts,
    pub(super) created_at: DateTime<Utc>,
    pub(super) updated_at: DateTime<Utc>,
}

impl Item {
    /// Whether visitors see it at a moment.
    pub(super) fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.is_shown
            && self.starts_at.is_none_or(|start| start <= now)
            && self.ends_at.is_none_or(|end| now < end)
    }

    /// Since when it is, or was to be, seen.
    pub(super) fn since(&self) -> DateTime<Utc> {
        self.starts_at.unwrap_or(self.created_at)
    }

    /// What its kind needs; nothing where another version has written it.
    pub(super) fn data<T: DeserializeOwned>(&self) -> Option<T> {
        let read = T::deserialize(&self.data);
        read.inspect_err(|error| tracing::warn!(id = %self.id, %error, "content left out")).ok()
    }

    /// Its words in the first of these languages that it has, or else in any.
    pub(super) fn words(&self, languages: [&str; 2]) -> Words<'_> {
        let is_told = |words: &&BTreeMap<String, String>| {
            words.get(self.kind.headline()).is_some_and(|text| !text.is_empty())
        };
        let wanted = languages.into_iter().filter_map(|code| self.texts.get(code));
        Words(wanted.chain(self.texts.values()).find(is_told))
    }
}

/// The words of one language.
pub(super) struct Words<'a>(Option<&'a BTreeMap<String, String>>);

impl Words<'_> {
    /// A field's words, none where there are none.
    pub(super) fn get(&self, field: &str) -> String {
        self.find(field).unwrap_or_default()
    }

    /// A field's words, if there are any.
    pub(super) fn find(&self, field: &str) -> Option<String> {
        self.0?.get(field).filter(|text| !text.is_empty()).cloned()
    }
}

/// Where a click on a banner leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum LinkageType {
    /// Nowhere.
    #[default]
    None,
    /// To a page of the site.
    Route,
    /// To another site.
    Outside,
    /// To a promotion.
    Promotion,
    /// To a game.
    Game,
    /// To a film of a video service.
    Video,
}

/// What a banner needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BannerData {
    pub(super) image: Option<String>,
    pub(super) url: Option<String>,
    #[serde(default)]
    pub(super) linkage_type: LinkageType,
}

/// How an announcement comes to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(super) enum AnnouncementType {
    /// It opens by itself.
    #[serde(rename = "PU")]
    Popup,
    /// It is the public announcement.
    #[serde(rename = "H")]
    Headline,
}

/// To whom an announcement opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(super) enum Execution {
    /// To members.
    #[serde(rename = "A")]
    Always,
    /// To members, at their first login.
    #[serde(rename = "F")]
    FirstLogin,
    /// To visitors, before they log in.
    #[serde(rename = "B")]
    BeforeLogin,
}

/// What an announcement needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AnnouncementData {
    #[serde(rename = "type")]
    pub(super) kind: AnnouncementType,
    pub(super) execution: Option<Execution>,
    pub(super) promotion_type: Option<PromotionType>,
    pub(super) promotion: Option<String>,
}

/// What an article of the help center needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ArticleData {
    /// The slot or the id of its section.
    pub(super) section: String,
    pub(super) slug: String,
}

/// What a promotion is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum PromotionType {
    Other,
    Sports,
    Live,
    Slots,
    Card,
    Fish,
    Lotto,
    Rebate,
    Points,
    Rank,
    Deposit,
    Download,
    NewPlayer,
}

/// What a promotion needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PromotionData {
    pub(super) slug: String,
    #[serde(rename = "type")]
    pub(super) kind: PromotionType,
    pub(super) image: Option<String>,
}

/// On what an app runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum AppKind {
    Android,
    Ios,
    IosLite,
}

impl AppKind {
    /// The kind of a slot.
    pub(super) fn parse(slot: &str) -> Option<Self> {
        Self::deserialize(Value::from(slot)).ok()
    }

    /// Where it is, unless staff say something else: a profile that we make, or nothing where
    /// the site itself is installed.
    pub(super) fn usual_url(self) -> Option<&'static str> {
        match self {
            Self::Android => None,
            Self::Ios => Some("/downloads/ios.mobileconfig"),
            Self::IosLite => Some("/downloads/ios-lite.mobileconfig"),
        }
    }
}

/// What a download needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DownloadData {
    pub(super) url: Option<String>,
    pub(super) bytes: Option<u64>,
    pub(super) version: Option<String>,
}

/// The names of pages.
pub(super) const PAGES: &[&str] = &["terms", "privacy", "responsible", "about"];
/// The groups of banners.
pub(super) const GROUPS: &[&str] = &["w_home", "w_login", "w_register", "w_forgot", "w_video"];
