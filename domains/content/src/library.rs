//! The in-memory cache of content. It is read again only when the edition has changed, and arranged
//! once for each merchant and language.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use super::http::LATEST_NOTICES;
use super::model::Item;
use super::store;
use super::view::View;
use crate::Content;
use platform::cache::Cache;
use platform::error::ApiError;
use platform::language::Language;
use site::Merchant;

/// The most cached views: merchants × languages.
const VIEWS_MAX: usize = 512;

/// The content of all merchants, cached and at most a second behind the database.
pub struct Library {
    cache: Cache<Arc<Edition>>,
    /// The edition that was read last, reused while its number is still the current one.
    latest: Mutex<Option<Arc<Edition>>>,
}

impl Default for Library {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)), latest: Mutex::default() }
    }
}

impl Library {
    /// The content that visitors of a merchant see now, in their language.
    pub(super) async fn view(
        &self,
        db: &PgPool,
        merchant: &Merchant,
        language: Language,
        now: DateTime<Utc>,
    ) -> Result<Arc<View>, sqlx::Error> {
        let edition = self.cache.get(async || self.load(db).await).await?;
        Ok(edition.view(merchant, language, now))
    }

    async fn load(&self, db: &PgPool) -> Result<Arc<Edition>, sqlx::Error> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let number = store::find_edition(db).await?;
        if let Some(latest) = latest.filter(|latest| latest.number == number) {
            return Ok(latest);
        }
        let (number, items) = store::load(db).await?;
        let edition = Arc::new(Edition::new(number, items));
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&edition));
        Ok(edition)
    }

    /// Clears the cache after a change on this node, so that the next read asks the database.
    pub async fn refresh(&self) {
        self.cache.clear();
    }
}

/// The merchant's id, the visitor's language, and the fallback language for missing translations.
type ViewKey = (Uuid, Language, Language);

/// All content as it was read at one time.
struct Edition {
    number: i64,
    /// By merchant, in display order.
    items: HashMap<Uuid, Vec<Item>>,
    views: Mutex<HashMap<ViewKey, Arc<View>>>,
}

impl Edition {
    fn new(number: i64, all: Vec<Item>) -> Self {
        let mut items: HashMap<Uuid, Vec<Item>> = HashMap::new();
        for item in all {
            items.entry(item.merchant_id).or_default().push(item);
        }
        Self { number, items, views: Mutex::default() }
    }

    fn view(&self, merchant: &Merchant, language: Language, now: DateTime<Utc>) -> Arc<View> {
        let fallback = merchant.default_language();
        let key = (merchant.id, language, fallback);
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(&key).filter(|view| view.is_current(now)) {
            return Arc::clone(view);
        }
        if views.len() >= VIEWS_MAX {
            views.clear();
        }
        let items = self.items.get(&merchant.id).map_or(&[][..], Vec::as_slice);
        let view = Arc::new(View::new(items, language, fallback, now));
        views.insert(key, Arc::clone(&view));
        view
    }
}

/// The content that visitors see now, as an opaque object. It is a different object as soon as an
/// item has changed, started or ended, so callers can use it as a cache key by identity.
pub async fn seen(
    app: &Content,
    merchant: &Merchant,
    language: Language,
) -> Result<Arc<dyn Any + Send + Sync>, ApiError> {
    Ok(app.library.view(&app.db, merchant, language, app.clock.now()).await?)
}

/// The part of the content that is embedded in a document as boot data, so that the page can show
/// it without a request.
pub async fn boot(
    app: &Content,
    merchant: &Merchant,
    language: Language,
) -> Result<[(&'static str, Value); 3], ApiError> {
    let view = app.library.view(&app.db, merchant, language, app.clock.now()).await?;
    let banners = view.banners.iter().filter(|banner| banner.group_name == "w_home");
    let notices = view.notices.iter().take(LATEST_NOTICES);
    let notices = notices.map(|notice| json!({ "id": notice.id, "title": notice.title }));
    Ok([
        ("banners", json!(banners.collect::<Vec<_>>())),
        ("notices", notices.collect()),
        ("downloads", json!(view.downloads)),
    ])
}
