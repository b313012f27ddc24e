//! One merchant's view of the catalogue: which games it offers, and the filtered and sorted lists
//! of them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bits::{Bits, Order};
use super::catalogue::Edition;
use super::game::{BINGO, BINGO_LABEL, Game, GameItem, VendorCard};
use platform::language::Language;
use site::{Brand, Merchant};

/// The categories in menu order.
pub(super) const CATEGORIES: &[&str] =
    &["RNG", "BINGO", "LIVE", "SPORTS", "ESPORTS", "COCKFIGHT", "PVP", "FISH", "LOTT", "ELOTT"];
/// The pseudo-category of hot games: a flag, not a game type, but listed like a category.
pub(super) const HOT: &str = "HOT";

/// The sort order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// By the merchant's positions.
    #[default]
    Popular,
    /// By name.
    Name,
    /// Newest first.
    Newest,
}

/// The filter, search and sort order of a list of games.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only this category.
    pub category: Option<String>,
    /// Only this vendor.
    pub vassalage: Option<String>,
    /// Only games with this label.
    pub label: Option<String>,
    /// Only new games, or only others.
    pub is_new: Option<bool>,
    /// Only hot games, or only others.
    pub is_hot: Option<bool>,
    /// Only games for one of these platforms; all if empty.
    pub platforms: Vec<String>,
    /// Only games for this client type.
    pub client: Option<i16>,
    /// Only games that match this search text.
    pub search: Option<String>,
    /// The sort order.
    pub sort: Sort,
}

/// The requested part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many games to skip.
    pub offset: usize,
    /// How many games to return at most.
    pub limit: usize,
}

/// One part of a list, and the length of the whole list.
pub struct ListPart {
    /// The games of the part.
    pub games: Vec<Arc<Game>>,
    /// The number of games in the whole list.
    pub total: usize,
}

/// One merchant's view of an edition, for one set of closed categories.
pub struct Shop {
    visible: Bits,
    categories: HashMap<&'static str, Bits>,
    by_position: Order,
    /// The brand settings that the view was built with.
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
        let position = |number: &usize| {
            let own = offer(*number).and_then(|offer| offer.position);
            (own.or_else(|| Some(edition.game(*number)?.position)), *number)
        };
        Self {
            visible,
            categories,
            by_position: Order::by(bound, position),
            esports: brand.esport_providers.clone(),
            cockfights: brand.cockfight_providers.clone(),
            has_bingo,
        }
    }

    /// Whether the view was built with the brand's current settings.
    pub(super) fn is_of(&self, brand: &Brand) -> bool {
        self.esports == brand.esport_providers
            && self.cockfights == brand.cockfight_providers
            && self.has_bingo == brand.has_label(BINGO_LABEL)
    }

    /// The offered games of a category.
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

    /// Whether a category contains the game with a code.
    pub(super) fn has_in_category(&self, edition: &Edition, category: &str, code: &str) -> bool {
        let number = edition.number_of(code);
        let games = match category {
            HOT => Some(&edition.facets.hot),
            category => self.categories.get(category),
        };
        number.zip(games).is_some_and(|(number, games)| games.has(number))
    }

    /// Applies all conditions of a filter except the search text.
    fn filter(&self, edition: &Edition, filter: &Filter) -> Bits {
        let bound = edition.games.len();
        let facets = &edition.facets;
        let none = Bits::none(bound);
        let mut found = self.visible.clone();
        if let Some(category) = &filter.category {
            found.keep(&self.category(edition, category).unwrap_or_else(|| none.clone()));
        }
        if let Some(vassalage) = &filter.vassalage {
            found.keep(facets.vassalage.get(vassalage).unwrap_or(&none));
        }
        if let Some(label) = &filter.label {
            found.keep(facets.label.get(label).unwrap_or(&none));
        }
        for (flag, games) in [(filter.is_new, &facets.new), (filter.is_hot, &facets.hot)] {
            match flag {
                Some(true) => found.keep(games),
                Some(false) => found.drop(games),
                None => {}
            }
        }
        if !filter.platforms.is_empty() {
            let mut any = none.clone();
            let platforms = filter.platforms.iter().filter_map(|name| facets.platform.get(name));
            platforms.for_each(|games| any.add(games));
            found.keep(&any);
        }
        if let Some(client) = filter.client {
            found.keep(facets.client.get(&client).unwrap_or(&none));
        }
        found
    }

    /// One part of a filtered list. Search results come in tiers: matches by name before matches by
    /// vendor.
    pub fn list(&self, edition: &Edition, filter: &Filter, part: Part) -> ListPart {
        let filtered = self.filter(edition, filter);
        let tiers = match &filter.search {
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
        let order = match filter.sort {
            Sort::Popular => &self.by_position,
            Sort::Name => &edition.by_name,
            Sort::Newest => &edition.by_age,
        };
        let Part { mut offset, limit } = part;
        let (mut games, mut total) = (Vec::new(), 0);
        for tier in tiers {
            let count = tier.count();
            total += count;
            let numbers = order.page(&tier, offset, limit - games.len());
            games.extend(numbers.into_iter().filter_map(|number| edition.game(number).cloned()));
            offset = offset.saturating_sub(count);
        }
        ListPart { games, total }
    }

    /// The vendors that have games in a category (or at all), with the number of these games.
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

    /// The categories that have games, with their vendors and labels.
    pub fn menus(&self, edition: &Edition) -> Vec<Menu> {
        let menus = CATEGORIES.iter().chain([&HOT]).filter_map(|category| {
            let vendors = self.vendors(edition, Some(category));
            let labels = self.labels(edition, category);
            let menu = Menu { game_category: (*category).to_owned(), vendors, labels };
            (!menu.vendors.is_empty()).then_some(menu)
        });
        menus.collect()
    }

    /// The number of games of a category for each label.
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
    /// The number of its games for each label.
    labels: BTreeMap<String, usize>,
}

impl Edition {
    /// The list items of games, in a language.
    pub(super) fn items<'a>(
        &self,
        games: impl IntoIterator<Item = &'a Arc<Game>>,
        language: Language,
    ) -> Vec<GameItem> {
        let item = |game: &Arc<Game>| GameItem::new(game, self.vendor(&game.vassalage), language);
        games.into_iter().map(item).collect()
    }
}
