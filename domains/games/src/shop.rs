//! The games as one merchant offers them, and the lists of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bits::{Bits, Order};
use super::catalogue::Edition;
use super::game::{BINGO, BINGO_LABEL, Game, GameItem, VendorCard};
use platform::language::Language;
use site::{Brand, Merchant};

/// The categories in the order of the menu. E-sports and cockfights come after sports, and bingo
/// after the slots.
pub(super) const CATEGORIES: &[&str] =
    &["RNG", "BINGO", "LIVE", "SPORTS", "ESPORTS", "COCKFIGHT", "PVP", "FISH", "LOTT", "ELOTT"];
/// Not a kind of game, but listed like one.
pub(super) const HOT: &str = "HOT";

/// What a list is ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// As the merchant has put them.
    #[default]
    Popular,
    /// By name.
    Name,
    /// The newest first.
    Newest,
}

/// Which games somebody wants to see.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// A category.
    pub category: Option<String>,
    /// Of one vendor.
    pub vassalage: Option<String>,
    /// With one label.
    pub label: Option<String>,
    /// New ones, or those that are not.
    pub is_new: Option<bool>,
    /// Hot ones, or those that are not.
    pub is_hot: Option<bool>,
    /// For one of these platforms.
    pub platforms: Vec<String>,
    /// For this kind of client.
    pub client: Option<i16>,
    /// Found by this text.
    pub search: Option<String>,
    /// In this order.
    pub sort: Sort,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many come before it.
    pub skipped: usize,
    /// How many it has at most.
    pub limit: usize,
}

/// A part of a list, and how long all of it is.
pub struct Found {
    /// The games of the part.
    pub games: Vec<Arc<Game>>,
    /// How many there are in all.
    pub total: usize,
}

/// The games as a merchant offers them.
pub struct Shop {
    visible: Bits,
    categories: HashMap<&'static str, Bits>,
    by_place: Order,
    /// What of the brand it was made with.
    esports: Vec<String>,
    cockfights: Vec<String>,
    has_bingo: bool,
}

impl Shop {
    pub(super) fn new(edition: &Edition, merchant: &Merchant) -> Self {
        let (bound, brand) = (edition.games.len(), &*merchant.brand);
        let offers = edition.offers(merchant.id);
        let offer = |number: usize| offers.and_then(|offers| offers.get(&number));
        let is_open = |n: usize| edition.game(n).is_some_and(|game| !game.is_closed(merchant));
        let shown = (0usize..)
            .take(bound)
            .filter(|n| offer(*n).is_none_or(|offer| offer.visible) && is_open(*n));
        let visible = Bits::of(bound, shown);
        let mut categories: HashMap<_, Bits> = HashMap::new();
        let has_bingo = brand.has_label(BINGO_LABEL);
        for number in visible.iter() {
            let Some(game) = edition.game(number) else { continue };
            let is_bingo = has_bingo && game.has_label(BINGO_LABEL);
            let named = [Some(game.category(brand)), is_bingo.then_some(BINGO)];
            let known = CATEGORIES.iter().filter(|category| named.contains(&Some(category)));
            for category in known {
                let bits = categories.entry(*category).or_insert_with(|| Bits::none(bound));
                bits.insert(number);
            }
        }
        let place = |number: &usize| {
            let own = offer(*number).and_then(|offer| offer.position);
            (own.or_else(|| Some(edition.game(*number)?.position)), *number)
        };
        Self {
            visible,
            categories,
            by_place: Order::by(bound, place),
            esports: brand.esport_providers.clone(),
            cockfights: brand.cockfight_providers.clone(),
            has_bingo,
        }
    }

    /// Whether it would be the same for the brand as it is now.
    pub(super) fn is_of(&self, brand: &Brand) -> bool {
        self.esports == brand.esport_providers
            && self.cockfights == brand.cockfight_providers
            && self.has_bingo == brand.has_label(BINGO_LABEL)
    }

    /// The games of a category.
    fn category(&self, edition: &Edition, category: &str) -> Option<Bits> {
        match category {
            HOT => {
                let mut hot = edition.facets.hot.clone();
                hot.keep(&self.visible);
                Some(hot)
            }
            category => self.categories.get(category).cloned(),
        }
    }

    /// Whether a game that is offered stands in a category.
    pub(super) fn has_in_category(&self, edition: &Edition, category: &str, code: &str) -> bool {
        let number = edition.number_of(code);
        let games = match category {
            HOT => Some(&edition.facets.hot),
            category => self.categories.get(category),
        };
        number.zip(games).is_some_and(|(number, games)| games.has(number))
    }

    /// Everything that is wanted but the search.
    fn filter(&self, edition: &Edition, wanted: &Wanted) -> Bits {
        let bound = edition.games.len();
        let facets = &edition.facets;
        let none = Bits::none(bound);
        let mut found = self.visible.clone();
        if let Some(category) = &wanted.category {
            found.keep(&self.category(edition, category).unwrap_or_else(|| none.clone()));
        }
        if let Some(vassalage) = &wanted.vassalage {
            found.keep(facets.vassalage.get(vassalage).unwrap_or(&none));
        }
        if let Some(label) = &wanted.label {
            found.keep(facets.label.get(label).unwrap_or(&none));
        }
        for (flag, games) in [(wanted.is_new, &facets.new), (wanted.is_hot, &facets.hot)] {
            match flag {
                Some(true) => found.keep(games),
                Some(false) => found.drop(games),
                None => {}
            }
        }
        if !wanted.platforms.is_empty() {
            let mut any = none.clone();
            let platforms = wanted.platforms.iter().filter_map(|name| facets.platform.get(name));
            platforms.for_each(|games| any.add(games));
            found.keep(&any);
        }
        if let Some(client) = wanted.client {
            found.keep(facets.client.get(&client).unwrap_or(&none));
        }
        found
    }

    /// A part of the list of what is wanted.
    pub fn list(&self, edition: &Edition, wanted: &Wanted, part: Part) -> Found {
        let filtered = self.filter(edition, wanted);
        let tiers = match &wanted.search {
            Some(text) => edition
                .search(text)
                .into_iter()
                .map(|mut tier| {
                    tier.keep(&filtered);
                    tier
                })
                .collect(),
            None => vec![filtered],
        };
        let order = match wanted.sort {
            Sort::Popular => &self.by_place,
            Sort::Name => &edition.by_name,
            Sort::Newest => &edition.by_age,
        };
        let Part { mut skipped, limit } = part;
        let (mut games, mut total) = (Vec::new(), 0);
        for tier in tiers {
            let count = tier.count();
            total += count;
            let numbers = order.page(&tier, skipped, limit - games.len());
            games.extend(numbers.into_iter().filter_map(|number| edition.game(number).cloned()));
            skipped = skipped.saturating_sub(count);
        }
        Found { games, total }
    }

    /// The vendors that have games here, and how many.
    pub fn vendors(&self, edition: &Edition, category: Option<&str>) -> Vec<VendorCard> {
        let all = match category {
            Some(category) => self.category(edition, category),
            None => Some(self.visible.clone()),
        };
        let Some(all) = all else { return Vec::new() };
        let cards = edition.vendors.iter().filter_map(|vendor| {
            let mut games = edition.facets.vassalage.get(&vendor.vassalage)?.clone();
            games.keep(&all);
            let count = games.count();
            (count > 0).then(|| VendorCard::new(vendor, count))
        });
        cards.collect()
    }

    /// The categories that have games, with their vendors.
    pub fn menus(&self, edition: &Edition) -> Vec<Menu> {
        let menus = CATEGORIES.iter().chain([&HOT]).filter_map(|category| {
            let vendors = self.vendors(edition, Some(category));
            let labels = self.labels(edition, category);
            let menu = Menu { game_category: (*category).to_owned(), vendors, labels };
            (!menu.vendors.is_empty()).then_some(menu)
        });
        menus.collect()
    }

    /// How many games of a category have each label.
    fn labels(&self, edition: &Edition, category: &str) -> BTreeMap<String, usize> {
        let Some(all) = self.category(edition, category) else { return BTreeMap::new() };
        let labels = edition.facets.label.iter().filter_map(|(label, games)| {
            let mut games = games.clone();
            games.keep(&all);
            let is_shown = games.count() > 0 && (label != BINGO_LABEL || self.has_bingo);
            is_shown.then(|| (label.clone(), games.count()))
        });
        labels.collect()
    }
}

/// A category of the navigation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Menu {
    game_category: String,
    vendors: Vec<VendorCard>,
    /// How many of its games have each label.
    labels: BTreeMap<String, usize>,
}

impl Edition {
    /// Games as lists show them.
    pub(super) fn items<'a>(
        &self,
        games: impl IntoIterator<Item = &'a Arc<Game>>,
        language: Language,
    ) -> Vec<GameItem> {
        let item = |game: &Arc<Game>| GameItem::new(game, self.vendor(&game.vassalage), language);
        games.into_iter().map(item).collect()
    }
}
