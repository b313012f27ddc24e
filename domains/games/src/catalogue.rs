//! The catalogue in memory: read again only when it has changed, and arranged so that a list or a
//! search takes as long with a hundred thousand games as with a thousand.

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

/// How many merchants' views are kept.
const SHOPS_MOST: usize = 256;

/// The catalogue, at most a second behind the database.
pub struct Catalogue {
    cache: Cache<Arc<Edition>>,
    /// What was read last: the same while its number is.
    latest: Mutex<Option<Arc<Edition>>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)), latest: Mutex::default() }
    }
}

impl Catalogue {
    /// The edition in force.
    pub async fn edition(&self, db: &PgPool) -> Result<Arc<Edition>, sqlx::Error> {
        let kept = self.cache.get(async || self.load(db).await).await?;
        Ok(Arc::clone(&*kept))
    }

    async fn load(&self, db: &PgPool) -> Result<Arc<Edition>, sqlx::Error> {
        let known = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let number = catalogue_store::find_edition(db).await?;
        if let Some(known) = known.filter(|known| known.number == number) {
            return Ok(known);
        }
        let rows = catalogue_store::load(db).await?;
        let arranged = tokio::task::spawn_blocking(move || Arc::new(Edition::new(rows))).await;
        let edition = arranged.map_err(|_| sqlx::Error::WorkerCrashed)?;
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&edition));
        Ok(edition)
    }

    /// Asks the database at the next look, after a change made here.
    pub async fn refresh(&self) {
        self.cache.clear();
    }

    /// All games in their order, hidden ones and those under maintenance, too.
    pub async fn all(&self, db: &PgPool) -> Result<Vec<Arc<Game>>, sqlx::Error> {
        Ok(self.edition(db).await?.games.clone())
    }

    /// One game, as the catalogue has it.
    pub async fn find(&self, db: &PgPool, code: &str) -> Result<Option<Arc<Game>>, sqlx::Error> {
        Ok(self.edition(db).await?.find(code).cloned())
    }

    /// What a vendor is called.
    pub async fn vendor_name(
        &self,
        db: &PgPool,
        vassalage: &str,
    ) -> Result<Option<String>, sqlx::Error> {
        let edition = self.edition(db).await?;
        Ok(edition.vendor(vassalage).map(|vendor| vendor.display_name.clone()))
    }

    /// One game as a merchant's players play it with this money: with the merchant's limits, and
    /// marked where the merchant does not have it, so that `check_player` refuses it.
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

    /// Whether a game may not be played where the visitor is.
    pub async fn is_closed(
        &self,
        db: &PgPool,
        merchant: &Merchant,
        code: &str,
    ) -> Result<bool, sqlx::Error> {
        Ok(self.edition(db).await?.find(code).is_some_and(|game| game.is_closed(merchant)))
    }
}

/// Whose shop: the merchant, and the categories that are closed where the visitor is.
type ShopKey = (Uuid, Vec<String>);

/// One reading of the whole catalogue. Games are known by their number in it.
pub struct Edition {
    number: i64,
    /// In their order.
    pub(super) games: Vec<Arc<Game>>,
    numbers: HashMap<String, usize>,
    /// In their order.
    pub(super) vendors: Vec<Vendor>,
    offers: HashMap<Uuid, HashMap<usize, Offer>>,
    /// Games that a merchant lets be played with other limits.
    limited: HashMap<(Uuid, Currency, usize), Arc<Game>>,
    pub(super) facets: Facets,
    pub(super) by_name: Order,
    pub(super) by_age: Order,
    words: Words,
    /// By merchant and by what is closed where the visitor is.
    shops: Mutex<HashMap<ShopKey, Arc<Shop>>>,
}

/// Which games have what lists are filtered by.
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

    /// A game of its number.
    pub(super) fn game(&self, number: usize) -> Option<&Arc<Game>> {
        self.games.get(number)
    }

    /// The number of a game.
    pub(super) fn number_of(&self, code: &str) -> Option<usize> {
        self.numbers.get(code).copied()
    }

    /// A game, as the catalogue has it.
    pub fn find(&self, code: &str) -> Option<&Arc<Game>> {
        self.game(self.number_of(code)?)
    }

    /// A vendor.
    pub(super) fn vendor(&self, vassalage: &str) -> Option<&Vendor> {
        self.vendors.iter().find(|vendor| vendor.vassalage == vassalage)
    }

    /// What a merchant has decided of its games.
    pub(super) fn offers(&self, merchant_id: Uuid) -> Option<&HashMap<usize, Offer>> {
        self.offers.get(&merchant_id)
    }

    /// The number of a game that a merchant offers.
    pub(super) fn offered_number(&self, merchant_id: Uuid, code: &str) -> Option<usize> {
        let number = self.number_of(code)?;
        let offer = self.offers(merchant_id).and_then(|offers| offers.get(&number));
        offer.is_none_or(|offer| offer.visible).then_some(number)
    }

    /// The number of a game that a merchant offers where the visitor is.
    pub(super) fn offered_here(&self, merchant: &Merchant, code: &str) -> Option<usize> {
        let number = self.offered_number(merchant.id, code)?;
        self.game(number).filter(|game| !game.is_closed(merchant)).map(|_| number)
    }

    /// A game with the limits that a merchant's players have, if they have it.
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

    /// Games found by what somebody typed: those by their name, and others by their vendor's.
    pub(super) fn search(&self, text: &str) -> [Bits; 2] {
        let none = || Bits::none(self.games.len());
        let typed = search::typed(text);
        let mut finds = typed.iter().map(|word| {
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
        let Some([mut by_name, mut by_either]) = finds.next() else { return [none(), none()] };
        for [named, either] in finds {
            by_name.keep(&named);
            by_either.keep(&either);
        }
        by_either.drop(&by_name);
        [by_name, by_either]
    }

    /// The games as a merchant offers them.
    pub(super) fn shop(&self, merchant: &Merchant) -> Arc<Shop> {
        let mut shops = self.shops.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (merchant.id, merchant.policy.closed_categories.clone());
        if let Some(shop) = shops.get(&place).filter(|shop| shop.is_of(&merchant.brand)) {
            return Arc::clone(shop);
        }
        if shops.len() >= SHOPS_MOST {
            shops.clear();
        }
        let shop = Arc::new(Shop::new(self, merchant));
        shops.insert(place, Arc::clone(&shop));
        shop
    }
}
