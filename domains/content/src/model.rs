//! The kinds of content and the fields of each.

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

    /// The name in the database and in the API.
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

    /// The kind with this stored name.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.text() == text)
    }

    /// Whether all items of the kind form one ordered list, regardless of their slots. Help
    /// articles refer to a section by its slot, so no two sections share a slot.
    pub(super) fn is_one_list(self) -> bool {
        self == Self::HelpSection
    }

    /// The text field that every translation must have.
    pub(super) fn headline(self) -> &'static str {
        match self {
            Self::Download => "name",
            _ => "title",
        }
    }
}

/// The texts of an item: language → field → text.
pub(super) type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// One content item.
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
    /// Whether visitors see it at this time.
    pub(super) fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.is_shown
            && self.starts_at.is_none_or(|start| start <= now)
            && self.ends_at.is_none_or(|end| now < end)
    }

    /// The time from which it is visible: its start, otherwise its creation.
    pub(super) fn since(&self) -> DateTime<Utc> {
        self.starts_at.unwrap_or(self.created_at)
    }

    /// The fields of its kind, or `None` if they cannot be parsed, for example because another
    /// version of the server wrote them.
    pub(super) fn data<T: DeserializeOwned>(&self) -> Option<T> {
        let read = T::deserialize(&self.data);
        read.inspect_err(|error| {
            tracing::warn!(id = %self.id, %error, "content item skipped: its data is invalid");
        })
        .ok()
    }

    /// Its texts in the first of these languages that it is translated to, otherwise in any
    /// language.
    pub(super) fn translation(&self, languages: [&str; 2]) -> Translation<'_> {
        let has_headline = |fields: &&BTreeMap<String, String>| {
            fields.get(self.kind.headline()).is_some_and(|text| !text.is_empty())
        };
        let preferred = languages.into_iter().filter_map(|code| self.texts.get(code));
        Translation(preferred.chain(self.texts.values()).find(has_headline))
    }
}

/// The text fields of an item in one language.
pub(super) struct Translation<'a>(Option<&'a BTreeMap<String, String>>);

impl Translation<'_> {
    /// The text of a field, empty if it has none.
    pub(super) fn get(&self, field: &str) -> String {
        self.find(field).unwrap_or_default()
    }

    /// The text of a field, or `None` if it is empty.
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
    /// To a video of a video service.
    Video,
}

/// The fields of a banner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BannerData {
    pub(super) image: Option<String>,
    pub(super) url: Option<String>,
    #[serde(default)]
    pub(super) linkage_type: LinkageType,
}

/// How an announcement is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(super) enum AnnouncementType {
    /// As a popup, which opens by itself.
    #[serde(rename = "PU")]
    Popup,
    /// As the public announcement.
    #[serde(rename = "H")]
    Headline,
}

/// To whom a popup opens.
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

/// The fields of an announcement.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct AnnouncementData {
    #[serde(rename = "type")]
    pub(super) kind: AnnouncementType,
    /// Set for popups only.
    pub(super) execution: Option<Execution>,
    pub(super) promotion_type: Option<PromotionType>,
    /// The slug of the promotion that it links to.
    pub(super) promotion: Option<String>,
}

/// The fields of an article of the help center.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ArticleData {
    /// The slot or the id of its section.
    pub(super) section: String,
    pub(super) slug: String,
}

/// The category of a promotion.
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

/// The fields of a promotion.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PromotionData {
    pub(super) slug: String,
    #[serde(rename = "type")]
    pub(super) kind: PromotionType,
    pub(super) image: Option<String>,
}

/// The platform of an app download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum AppKind {
    Android,
    Ios,
    IosLite,
}

impl AppKind {
    /// The kind that a slot names.
    pub(super) fn parse(slot: &str) -> Option<Self> {
        Self::deserialize(Value::from(slot)).ok()
    }

    /// The default address, if staff set none: for iOS a configuration profile that we generate,
    /// for Android none, because the site itself is installed.
    pub(super) fn default_url(self) -> Option<&'static str> {
        match self {
            Self::Android => None,
            Self::Ios => Some("/downloads/ios.mobileconfig"),
            Self::IosLite => Some("/downloads/ios-lite.mobileconfig"),
        }
    }
}

/// The fields of a download.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct DownloadData {
    pub(super) url: Option<String>,
    pub(super) bytes: Option<u64>,
    pub(super) version: Option<String>,
}

/// The names of pages, which are their slots.
pub(super) const PAGES: &[&str] = &["terms", "privacy", "responsible", "about"];
/// The groups of banners, which are their slots.
pub(super) const GROUPS: &[&str] = &["w_home", "w_login", "w_register", "w_forgot", "w_video"];
