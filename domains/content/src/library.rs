//! Content in memory: read again only when it has changed, and arranged once for each merchant and
//! language.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use super::http::LATEST;
use super::model::Item;
use super::store;
use super::view::View;
use crate::Content;
use platform::cache::Cache;
use platform::error::ApiError;
use platform::language::Language;
use site::Merchant;

/// How many views are kept: merchants × languages.
const VIEWS_MOST: usize = 512;

/// All content, at most a second behind the database.
pub struct Library {
    cache: Cache<Arc<Edition>>,
    /// What was read last: the same while its number is.
    latest: Mutex<Option<Arc<Edition>>>,
}

impl Default for Library {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)), latest: Mutex::default() }
    }
}

impl Library {
    /// What visitors of a merchant see now.
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
        let known = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let number = store::find_edition(db).await?;
        if let Some(known) = known.filter(|known| known.number == number) {
            return Ok(known);
        }
        let (number, items) = store::load(db).await?;
        let edition = Arc::new(Edition::new(number, items));
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&edition));
        Ok(edition)
    }

    /// Asks the database at the next look, after a change made here.
    pub async fn refresh(&self) {
        self.cache.clear();
    }
}

/// A merchant, the visitor's language, and the one for what is not translated.
type ViewKey = (Uuid, Language, Language);

/// One reading of all content.
struct Edition {
    number: i64,
    /// In their order.
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
        let usual = merchant.usual_language();
        let key = (merchant.id, language, usual);
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(&key).filter(|view| view.holds(now)) {
            return Arc::clone(view);
        }
        if views.len() >= VIEWS_MOST {
            views.clear();
        }
        let items = self.items.get(&merchant.id).map_or(&[][..], Vec::as_slice);
        let view = Arc::new(View::new(items, language, usual, now));
        views.insert(key, Arc::clone(&view));
        view
    }
}

/// What visitors see now: another one when anything in it has changed, begun or ended.
pub async fn seen(
    app: &Content,
    merchant: &Merchant,
    language: Language,
) -> Result<Arc<dyn Any + Send + Sync>, ApiError> {
    Ok(app.library.view(&app.db, merchant, language, app.clock.now()).await?)
}

/// What a document knows of the content before its first request.
pub async fn boot(
    app: &Content,
    merchant: &Merchant,
    language: Language,
) -> Result<[(&'static str, Value); 3], ApiError> {
    let view = app.library.view(&app.db, merchant, language, app.clock.now()).await?;
    let banners = view.banners.iter().filter(|banner| banner.group_name == "w_home");
    let notices = view.notices.iter().take(LATEST);
    let notices = notices.map(|notice| json!({ "id": notice.id, "title": notice.title }));
    Ok([
        ("banners", json!(banners.collect::<Vec<_>>())),
        ("notices", notices.collect()),
        ("downloads", json!(view.downloads)),
    ])
}
