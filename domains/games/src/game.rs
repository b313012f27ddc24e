//! Games and vendors of the catalogue, and the form in which lists return them.

use std::collections::BTreeMap;
use std::sync::Arc;

use capiz_rules::money::Amount;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::returns;
use crate::codes;
use members::MemberKind;
use platform::error::ApiError;
use platform::language::Language;
use site::{Brand, Merchant};

/// The label of jackpot games.
const JACKPOT: &str = "JP";
/// The label of bingo games.
pub(super) const BINGO_LABEL: &str = "BG";
/// The category of bingo games.
pub(super) const BINGO: &str = "BINGO";

/// A game of the catalogue.
#[derive(Clone, Debug)]
pub struct Game {
    /// The game's code, as used in URLs.
    pub code: String,
    /// The vendor that runs the game.
    pub vendor: String,
    /// The code of the provider family.
    pub vassalage: String,
    /// The type of the game; it decides the category.
    pub game_type: String,
    /// The display name in English.
    pub name: String,
    /// Display names in other languages, by the site's language code.
    pub names: BTreeMap<String, String>,
    /// 0: a free trial is offered.
    pub support_play: i16,
    /// The stake and payout limits of a round.
    pub limits: Limits,
    /// The sort position among all games.
    pub position: i32,
    /// Labels: SC, VP, JP, TG, AC, BG.
    pub classify: Vec<String>,
    /// Whether the game is marked as new.
    pub is_new: bool,
    /// Whether the game is marked as hot.
    pub is_hot: bool,
    /// `GAME`, or `VASSALAGE` for the list of a provider's games.
    pub is_game: String,
    /// The platforms the game runs on.
    pub platforms: Vec<String>,
    /// The client types the game supports; 3 is the web.
    pub client_types: Vec<i16>,
    /// The URL of the icon; `None` for the built-in art.
    pub icon_url: Option<String>,
    /// Whether the game or its vendor is under maintenance.
    pub maintenance: Maintenance,
    /// When the game was added to the catalogue.
    pub added_at: DateTime<Utc>,
    /// Whether the merchant offers the game to the player it was looked up for.
    pub is_offered: bool,
}

/// The maintenance flags of a game; either one blocks new rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maintenance {
    /// The game itself is under maintenance.
    pub game: bool,
    /// The vendor, and with it all of its games, is under maintenance.
    pub vendor: bool,
}

impl Maintenance {
    /// Whether either flag is set.
    pub fn is_on(self) -> bool {
        self.game || self.vendor
    }
}

impl Game {
    /// Checks that an account of this kind may start the game: the merchant must offer it, demo
    /// accounts need a free trial, and maintenance refuses everybody.
    pub fn check_player(&self, kind: MemberKind) -> Result<(), ApiError> {
        let refuse = |code| Err(ApiError::new(code));
        match self {
            Self { is_offered: false, .. } => refuse(codes::UNKNOWN_GAME),
            Self { support_play: 1.., .. } if kind == MemberKind::Trial => {
                refuse(members::codes::TRIAL_ACCOUNT)
            }
            game if game.maintenance.is_on() => refuse(codes::MAINTENANCE),
            _ => Ok(()),
        }
    }

    /// The display name in a language, or else the English one.
    pub fn name_in(&self, language: Language) -> &str {
        self.names.get(language.code()).unwrap_or(&self.name)
    }

    /// The return to player (RTP) in percent, for the default choice; empty for other vendors'
    /// games.
    pub fn return_percent(&self) -> &'static str {
        returns::stated(&self.code)
    }

    /// The category that lists the game. The brand moves some sports vendors to e-sports or
    /// cockfights.
    pub(super) fn category(&self, brand: &Brand) -> &str {
        let is_of = |vendors: &[String]| vendors.contains(&self.vassalage);
        match self.game_type.as_str() {
            "SPORTS" if is_of(&brand.esport_providers) => "ESPORTS",
            "SPORTS" if is_of(&brand.cockfight_providers) => "COCKFIGHT",
            game_type => game_type,
        }
    }

    /// A copy marked as not offered, so that `check_player` refuses it.
    pub fn withheld(&self) -> Arc<Self> {
        Arc::new(Self { is_offered: false, ..self.clone() })
    }

    /// Whether the policy of the visitor's country closes the game's category. A game with the
    /// bingo label also counts as bingo, whatever category lists it.
    pub(super) fn is_closed(&self, merchant: &Merchant) -> bool {
        let closed = &merchant.policy.closed_categories;
        let is_of = |category: &str| closed.iter().any(|name| name == category);
        !closed.is_empty()
            && (is_of(self.category(&merchant.brand))
                || (is_of(BINGO) && self.has_label(BINGO_LABEL)))
    }

    pub(super) fn has_label(&self, label: &str) -> bool {
        self.classify.iter().any(|known| known == label)
    }
}

/// The stake and payout limits of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The smallest stake.
    pub min_stake: Amount,
    /// The largest stake.
    pub max_stake: Amount,
    /// The largest possible payout: a stake that could win more is refused.
    pub max_payout: Amount,
}

/// A game vendor (provider family).
#[derive(Clone, Debug)]
pub struct Vendor {
    /// The vendor's code, as games reference it.
    pub vassalage: String,
    /// The display name.
    pub display_name: String,
    /// The name of the wallet account that its games are played from.
    pub account_type_name: String,
    /// The sort position among all vendors.
    pub position: i32,
    /// Whether all of its games are under maintenance.
    pub maintenance: bool,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameItem {
    node_id: String,
    vendor: String,
    vassalage: String,
    /// The vendor's display name.
    vendor_name: String,
    game_type: String,
    game_code: String,
    /// The display name in the requested language.
    game_name: String,
    display_name: String,
    show_icon: String,
    /// 0: a free trial is offered.
    support_play: i16,
    /// `VASSALAGE` opens a list of the provider's games; `GAME` is a game.
    is_game: String,
    /// Labels: SC scratch, VP video poker, JP jackpot, TG table, AC arcade, BG bingo.
    game_classify: Vec<String>,
    is_new: bool,
    is_hot: bool,
    /// Whether the game feeds a jackpot and can win it.
    jackpot: bool,
    /// Whether the game is under maintenance and cannot be started.
    maintenance: bool,
    /// The return to player (RTP) in percent for the default choice; empty if the vendor states
    /// none.
    #[schema(example = "99")]
    return_percent: String,
}

impl GameItem {
    /// The game's code.
    pub(super) fn code(&self) -> &str {
        &self.game_code
    }

    /// The list item of a game, in a language.
    pub(super) fn new(game: &Game, vendor: Option<&Vendor>, language: Language) -> Self {
        let name = game.name_in(language);
        let vendor_name = vendor.map_or(&game.vendor, |vendor| &vendor.display_name);
        let own_art = || format!("/art/{}.svg", game.code);
        Self {
            node_id: game.code.clone(),
            vendor: game.vendor.clone(),
            vassalage: game.vassalage.clone(),
            vendor_name: vendor_name.clone(),
            game_type: game.game_type.clone(),
            game_code: game.code.clone(),
            game_name: name.to_owned(),
            display_name: name.to_owned(),
            show_icon: game.icon_url.clone().unwrap_or_else(own_art),
            support_play: game.support_play,
            is_game: game.is_game.clone(),
            game_classify: game.classify.clone(),
            is_new: game.is_new,
            is_hot: game.is_hot,
            jackpot: game.has_label(JACKPOT),
            maintenance: game.maintenance.is_on(),
            return_percent: game.return_percent().to_owned(),
        }
    }
}

/// A vendor in menus and lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VendorCard {
    vassalage: String,
    display_name: String,
    account_type_name: String,
    images: VendorImages,
    /// Whether all of its games are under maintenance.
    maintenance: bool,
    /// The number of its games in this list.
    games: usize,
}

/// The URLs of a vendor's images in the built-in art, by variant.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct VendorImages {
    default: String,
    active: String,
    white: String,
    color: String,
    purple: String,
}

impl VendorCard {
    pub(super) fn new(vendor: &Vendor, games: usize) -> Self {
        let image = |variant: &str| format!("/art/vendor/{}/{variant}.svg", vendor.vassalage);
        Self {
            vassalage: vendor.vassalage.clone(),
            display_name: vendor.display_name.clone(),
            account_type_name: vendor.account_type_name.clone(),
            images: VendorImages {
                default: image("default"),
                active: image("active"),
                white: image("white"),
                color: image("color"),
                purple: image("purple"),
            },
            maintenance: vendor.maintenance,
            games,
        }
    }
}
