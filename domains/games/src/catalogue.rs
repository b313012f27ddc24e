//! The in-memory cache of the game catalogue. It is reloaded only when the edition number changes,
//! and indexed so that a list or a search takes as long with a hundred thousand games as with a
//! thousand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capiz_rules::money::Currency;
use sqlx::PgPool;
use uuid::Uuid;

use super::bits::{Bits, Order};
use super::catalogue_store::{self, Offer, Rows};
use super::game::{Game, Vendor};
use super::search::{self, Words};
use super::shop::Shop;
use platform::cache::Cache;
use site::Merchant;

/// The most merchant views (shops) that one edition caches.
const SHOPS_MAX: usize = 256;

/// The cached catalogue, at most one second behind the database.
pub struct Catalogue {
    cache: Cache<Arc<Edition>>,
    /// The edition loaded last; it is reused as long as its number is current.
    latest: Mutex<Option<Arc<Edition>>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)), latest: Mutex::default() }
    }
}

impl Catalogue {
    /// The current edition.
    pub async fn edition(&self, db: &PgPool) -> Result<Arc<Edition>, sqlx::Error> {
        let cached = self.cache.get(async || self.load(db).await).await?;
        Ok(Arc::clone(&*cached))
    }

    async fn load(&self, db: &PgPool) -> Result<Arc<Edition>, sqlx::Error> {
        let known = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let number = catalogue_store::find_edition(db).await?;
        if let Some(known) = known.filter(|known| known.number == number) {
            return Ok(known);
        }
        let rows = catalogue_store::load(db).await?;
        let built = tokio::task::spawn_blocking(move || Arc::new(Edition::new(rows))).await;
        let edition = built.map_err(|_| sqlx::Error::WorkerCrashed)?;
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&edition));
        Ok(edition)
    }

    /// Expires the cache after a change made on this node: the next read asks the database.
    pub async fn refresh(&self) {
        self.cache.clear();
    }

    /// All games by position, including hidden games and games under maintenance.
    pub async fn all(&self, db: &PgPool) -> Result<Vec<Arc<Game>>, sqlx::Error> {
        Ok(self.edition(db).await?.games.clone())
    }

    /// One game with the catalogue's own limits.
    pub async fn find(&self, db: &PgPool, code: &str) -> Result<Option<Arc<Game>>, sqlx::Error> {
        Ok(self.edition(db).await?.find(code).cloned())
    }

    /// The display name of a vendor.
    pub async fn vendor_name(
        &self,
        db: &PgPool,
        vassalage: &str,
    ) -> Result<Option<String>, sqlx::Error> {
        let edition = self.edition(db).await?;
        Ok(edition.vendor(vassalage).map(|vendor| vendor.display_name.clone()))
    }

    /// One game with a merchant's limits in a currency. A game that the merchant does not offer is
    /// returned with `is_offered` unset, so that `check_player` refuses it.
    pub async fn find_for(
        &self,
        db: &PgPool,
        merchant_id: Uuid,
        currency: Currency,
        code: &str,
    ) -> Result<Option<Arc<Game>>, sqlx::Error> {
        let edition = self.edition(db).await?;
        let hidden = || edition.find(code).map(|game| game.withheld());
        Ok(edition.offered(merchant_id, currency, code).or_else(hidden))
    }

    /// Whether the policy of the visitor's country closes the game.
    pub async fn is_closed(
        &self,
        db: &PgPool,
        merchant: &Merchant,
        code: &str,
    ) -> Result<bool, sqlx::Error> {
        Ok(self.edition(db).await?.find(code).is_some_and(|game| game.is_closed(merchant)))
    }
}

/// The cache key of a shop: the merchant, and the categories closed in the visitor's country.
type ShopKey = (Uuid, Vec<String>);

/// One version of the whole catalogue, loaded at once and never changed. A game's number is its
/// index in `games`; bitsets and orders refer to games by it.
pub struct Edition {
    number: i64,
    /// Sorted by position.
    pub(super) games: Vec<Arc<Game>>,
    numbers: HashMap<String, usize>,
    /// Sorted by position.
    pub(super) vendors: Vec<Vendor>,
    offers: HashMap<Uuid, HashMap<usize, Offer>>,
    /// Games with limits of a merchant's own, by merchant, currency and number.
    limited: HashMap<(Uuid, Currency, usize), Arc<Game>>,
    pub(super) facets: Facets,
    pub(super) by_name: Order,
    pub(super) by_age: Order,
    words: Words,
    shops: Mutex<HashMap<ShopKey, Arc<Shop>>>,
}

/// The indexes for filtering: the set of games for each value of a filter.
#[derive(Default)]
pub(super) struct Facets {
    pub(super) vassalage: HashMap<String, Bits>,
    pub(super) label: HashMap<String, Bits>,
    pub(super) platform: HashMap<String, Bits>,
    pub(super) client: HashMap<i16, Bits>,
    pub(super) new: Bits,
    pub(super) hot: Bits,
}

impl Facets {
    fn new(games: &[Arc<Game>]) -> Self {
        let bound = games.len();
        let empty = || Bits::none(bound);
        let mut facets = Self { new: empty(), hot: empty(), ..Self::default() };
        for (number, game) in (0usize..).zip(games) {
            let vassalage = facets.vassalage.entry(game.vassalage.clone());
            vassalage.or_insert_with(empty).insert(number);
            for label in &game.classify {
                facets.label.entry(label.clone()).or_insert_with(empty).insert(number);
            }
            for platform in &game.platforms {
                facets.platform.entry(platform.clone()).or_insert_with(empty).insert(number);
            }
            for client in &game.client_types {
                facets.client.entry(*client).or_insert_with(empty).insert(number);
            }
            if game.is_new {
                facets.new.insert(number);
            }
            if game.is_hot {
                facets.hot.insert(number);
            }
        }
        facets
    }
}

impl Edition {
    fn new(rows: Rows) -> Self {
        let games: Vec<_> = rows.games.into_iter().map(Arc::new).collect();
        let codes = games.iter().map(|game| game.code.clone());
        let numbers: HashMap<_, _> = codes.zip(0usize..).collect();
        let mut offers: HashMap<Uuid, HashMap<usize, Offer>> = HashMap::new();
        for offer in rows.offers {
            if let Some(number) = numbers.get(&offer.game_code) {
                offers.entry(offer.merchant_id).or_default().insert(*number, offer);
            }
        }
        let limited = rows.limits.into_iter().filter_map(|row| {
            let number = *numbers.get(&row.game_code)?;
            let game = Game { limits: row.limits, ..Game::clone(games.get(number)?) };
            Some(((row.merchant_id, row.currency, number), Arc::new(game)))
        });
        let limited = limited.collect();
        let of = |number: &usize| &games[*number];
        let names = (0usize..).zip(&games).flat_map(|(number, game)| {
            let names = [&game.name].into_iter().chain(game.names.values());
            names.map(move |name| (number, name.as_str()))
        });
        Self {
            number: rows.edition,
            words: Words::new(games.len(), names),
            facets: Facets::new(&games),
            by_name: Order::by(games.len(), |number| search::words(&of(number).name)),
            by_age: Order::by(games.len(), |number| {
                (std::cmp::Reverse(of(number).added_at), of(number).position, *number)
            }),
            games,
            numbers,
            vendors: rows.vendors,
            offers,
            limited,
            shops: Mutex::default(),
        }
    }

    /// The game with a number.
    pub(super) fn game(&self, number: usize) -> Option<&Arc<Game>> {
        self.games.get(number)
    }

    /// The number of the game with a code.
    pub(super) fn number_of(&self, code: &str) -> Option<usize> {
        self.numbers.get(code).copied()
    }

    /// A game with the catalogue's own limits.
    pub fn find(&self, code: &str) -> Option<&Arc<Game>> {
        self.game(self.number_of(code)?)
    }

    /// The vendor with a code.
    pub(super) fn vendor(&self, vassalage: &str) -> Option<&Vendor> {
        self.vendors.iter().find(|vendor| vendor.vassalage == vassalage)
    }

    /// A merchant's own settings for games, by game number.
    pub(super) fn offers(&self, merchant_id: Uuid) -> Option<&HashMap<usize, Offer>> {
        self.offers.get(&merchant_id)
    }

    /// The number of a game, if the merchant offers it.
    pub(super) fn offered_number(&self, merchant_id: Uuid, code: &str) -> Option<usize> {
        let number = self.number_of(code)?;
        let offer = self.offers(merchant_id).and_then(|offers| offers.get(&number));
        offer.is_none_or(|offer| offer.visible).then_some(number)
    }

    /// The number of a game, if the merchant offers it and the visitor's country allows it.
    pub(super) fn offered_here(&self, merchant: &Merchant, code: &str) -> Option<usize> {
        let number = self.offered_number(merchant.id, code)?;
        self.game(number).filter(|game| !game.is_closed(merchant)).map(|_| number)
    }

    /// A game with the merchant's limits in a currency, if the merchant offers it.
    pub(super) fn offered(
        &self,
        merchant_id: Uuid,
        currency: Currency,
        code: &str,
    ) -> Option<Arc<Game>> {
        let number = self.offered_number(merchant_id, code)?;
        let limited = self.limited.get(&(merchant_id, currency, number));
        limited.or_else(|| self.game(number)).cloned()
    }

    /// Full-text search: the games that match by name, and those that match only with the vendor's
    /// name. Every word of the query must match.
    pub(super) fn search(&self, text: &str) -> [Bits; 2] {
        let none = || Bits::none(self.games.len());
        let query = search::query_words(text);
        let mut matches = query.iter().map(|word| {
            let by_name = self.words.find(word);
            let mut by_either = by_name.clone();
            for vendor in &self.vendors {
                let names = search::words(&vendor.display_name);
                if names.iter().any(|name| name.starts_with(word)) {
                    self.facets
                        .vassalage
                        .get(&vendor.vassalage)
                        .iter()
                        .for_each(|games| by_either.add(games));
                }
            }
            [by_name, by_either]
        });
        let Some([mut by_name, mut by_either]) = matches.next() else { return [none(), none()] };
        for [named, either] in matches {
            by_name.keep(&named);
            by_either.keep(&either);
        }
        by_either.drop(&by_name);
        [by_name, by_either]
    }

    /// The merchant's view of this edition, from the cache or built anew.
    pub(super) fn shop(&self, merchant: &Merchant) -> Arc<Shop> {
        let mut shops = self.shops.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (merchant.id, merchant.policy.closed_categories.clone());
        if let Some(shop) = shops.get(&key).filter(|shop| shop.is_of(&merchant.brand)) {
            return Arc::clone(shop);
        }
        if shops.len() >= SHOPS_MAX {
            shops.clear();
        }
        let shop = Arc::new(Shop::new(self, merchant));
        shops.insert(key, Arc::clone(&shop));
        shop
    }
}
