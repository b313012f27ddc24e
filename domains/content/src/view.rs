//! Content as visitors see it: in one language, at one time.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{
    AnnouncementData, AnnouncementType, AppKind, ArticleData, BannerData, DownloadData, Execution,
    Item, Kind, LinkageType, PromotionData, PromotionType,
};
use platform::language::Language;

/// A banner: an image or a title, which may link somewhere.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Banner {
    pub(super) id: Uuid,
    /// The place where it is shown: `w_home`, `w_login`, `w_register`, `w_forgot`, `w_video`.
    pub(super) group_name: String,
    pub(super) title: String,
    pub(super) text: Option<String>,
    /// Without an image the page shows the title.
    pub(super) image: Option<String>,
    pub(super) alt: String,
    pub(super) url: Option<String>,
    pub(super) linkage_type: LinkageType,
}

/// A popup or the public announcement.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Announcement {
    pub(super) id: Uuid,
    #[serde(rename = "type")]
    pub(super) kind: AnnouncementType,
    pub(super) title: String,
    /// HTML.
    pub(super) content: String,
    pub(super) promotion_type: Option<PromotionType>,
    /// The slug of a promotion.
    pub(super) promotion: Option<String>,
    pub(super) execution: Option<Execution>,
    /// The start as Unix time in milliseconds.
    pub(super) start_date_str: String,
}

/// A notice: news for players.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notice {
    pub(super) id: Uuid,
    pub(super) title: String,
    /// HTML.
    pub(super) content: String,
    /// The start as Unix time in milliseconds.
    pub(super) start_date_str: String,
}

/// A section of the help center with its articles.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct HelpSection {
    pub(super) id: Uuid,
    pub(super) title: String,
    pub(super) articles: Vec<HelpArticle>,
}

/// An article of the help center.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct HelpArticle {
    pub(super) id: Uuid,
    pub(super) slug: String,
    pub(super) title: String,
    /// HTML.
    pub(super) content: String,
}

/// A page of text such as the terms.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageText {
    /// `terms`, `privacy`, `responsible`, `about`.
    pub(super) name: String,
    pub(super) title: String,
    /// HTML.
    pub(super) content: String,
    pub(super) updated_at: DateTime<Utc>,
}

/// A promotion in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromotionCard {
    pub(super) id: Uuid,
    pub(super) slug: String,
    #[serde(rename = "type")]
    pub(super) kind: PromotionType,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) image: Option<String>,
    pub(super) starts_at: DateTime<Utc>,
    pub(super) ends_at: Option<DateTime<Utc>>,
}

/// A promotion with its full text.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct PromotionDetail {
    #[serde(flatten)]
    pub(super) card: PromotionCard,
    /// HTML.
    pub(super) content: String,
    /// HTML.
    pub(super) terms: String,
}

/// An app download, or the site itself as an installable app.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct AppDownload {
    pub(super) kind: AppKind,
    pub(super) name: String,
    /// Absent if the site itself is installed as an app.
    pub(super) url: Option<String>,
    pub(super) bytes: Option<u64>,
    pub(super) version: Option<String>,
}

/// What a merchant's visitors see in one language, until an item starts or ends.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The time span in which the view is current: from `from` until before `until`.
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    pub(super) banners: Vec<Banner>,
    pub(super) announcements: Vec<Announcement>,
    /// Newest first.
    pub(super) notices: Vec<Notice>,
    pub(super) help: Vec<HelpSection>,
    pub(super) pages: Vec<PageText>,
    pub(super) promotions: Vec<PromotionDetail>,
    pub(super) downloads: Vec<AppDownload>,
}

impl View {
    /// The view of these items at a given time. The items must be in display order.
    pub(super) fn new(
        items: &[Item],
        language: Language,
        fallback: Language,
        now: DateTime<Utc>,
    ) -> Self {
        let languages = [language.code(), fallback.code()];
        let boundaries = || items.iter().flat_map(|item| [item.starts_at, item.ends_at]).flatten();
        let mut view = Self {
            from: boundaries().filter(|time| *time <= now).max(),
            until: boundaries().filter(|time| now < *time).min(),
            ..Self::default()
        };
        let live = || items.iter().filter(|item| item.is_live(now));
        let mut notices: Vec<_> = live().filter(|item| item.kind == Kind::Notice).collect();
        notices.sort_by_key(|item| std::cmp::Reverse(item.since()));
        view.notices = notices.into_iter().map(|item| notice(item, languages)).collect();
        for item in live() {
            view.add(item, languages);
        }
        // Articles come last, when all sections have been added.
        for item in live().filter(|item| item.kind == Kind::HelpArticle) {
            view.add_article(item, live(), languages);
        }
        view.help.retain(|section| !section.articles.is_empty());
        view
    }

    /// Whether the view still shows what is live at this time.
    pub(super) fn is_current(&self, now: DateTime<Utc>) -> bool {
        self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now < until)
    }

    fn add(&mut self, item: &Item, languages: [&str; 2]) {
        match item.kind {
            Kind::Banner => self.banners.extend(banner(item, languages)),
            Kind::Announcement => self.announcements.extend(announcement(item, languages)),
            Kind::HelpSection => {
                let title = item.translation(languages).get("title");
                self.help.push(HelpSection { id: item.id, title, articles: Vec::new() });
            }
            Kind::Page => self.pages.push(page(item, languages)),
            Kind::Promotion => self.promotions.extend(promotion(item, languages)),
            Kind::Download => self.downloads.extend(download(item, languages)),
            Kind::Notice | Kind::HelpArticle => {}
        }
    }

    /// Adds an article to its section, if the section is live.
    fn add_article<'a>(
        &mut self,
        item: &Item,
        mut live: impl Iterator<Item = &'a Item>,
        languages: [&str; 2],
    ) {
        let Some(data) = item.data::<ArticleData>() else { return };
        let is_section = |name: &str| data.section == name;
        let section = live.find(|other| {
            other.kind == Kind::HelpSection
                && (is_section(&other.slot) || is_section(&other.id.to_string()))
        });
        let Some(section) = section.map(|section| section.id) else { return };
        let texts = item.translation(languages);
        let article = HelpArticle {
            id: item.id,
            slug: data.slug,
            title: texts.get("title"),
            content: texts.get("content"),
        };
        let section = self.help.iter_mut().find(|found| found.id == section);
        section.into_iter().for_each(|section| section.articles.push(article.clone()));
    }
}

fn millis(time: DateTime<Utc>) -> String {
    time.timestamp_millis().to_string()
}

fn banner(item: &Item, languages: [&str; 2]) -> Option<Banner> {
    let data: BannerData = item.data()?;
    let texts = item.translation(languages);
    Some(Banner {
        id: item.id,
        group_name: item.slot.clone(),
        title: texts.get("title"),
        text: texts.find("text"),
        image: data.image,
        alt: texts.get("alt"),
        url: data.url,
        linkage_type: data.linkage_type,
    })
}

fn announcement(item: &Item, languages: [&str; 2]) -> Option<Announcement> {
    let data: AnnouncementData = item.data()?;
    let texts = item.translation(languages);
    Some(Announcement {
        id: item.id,
        kind: data.kind,
        title: texts.get("title"),
        content: texts.get("content"),
        promotion_type: data.promotion_type,
        promotion: data.promotion,
        execution: data.execution,
        start_date_str: millis(item.since()),
    })
}

fn notice(item: &Item, languages: [&str; 2]) -> Notice {
    let texts = item.translation(languages);
    Notice {
        id: item.id,
        title: texts.get("title"),
        content: texts.get("content"),
        start_date_str: millis(item.since()),
    }
}

fn page(item: &Item, languages: [&str; 2]) -> PageText {
    let texts = item.translation(languages);
    PageText {
        name: item.slot.clone(),
        title: texts.get("title"),
        content: texts.get("content"),
        updated_at: item.updated_at,
    }
}

fn promotion(item: &Item, languages: [&str; 2]) -> Option<PromotionDetail> {
    let data: PromotionData = item.data()?;
    let texts = item.translation(languages);
    Some(PromotionDetail {
        card: PromotionCard {
            id: item.id,
            slug: data.slug,
            kind: data.kind,
            title: texts.get("title"),
            summary: texts.get("summary"),
            image: data.image,
            starts_at: item.since(),
            ends_at: item.ends_at,
        },
        content: texts.get("content"),
        terms: texts.get("terms"),
    })
}

fn download(item: &Item, languages: [&str; 2]) -> Option<AppDownload> {
    let data: DownloadData = item.data()?;
    let kind = AppKind::parse(&item.slot)?;
    let url = data.url.or_else(|| kind.default_url().map(str::to_owned));
    let name = item.translation(languages).get("name");
    Some(AppDownload { kind, name, url, bytes: data.bytes, version: data.version })
}
