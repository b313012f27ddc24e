//! Games and vendors, and how lists show them.

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

/// Jackpot games have this label.
const JACKPOT: &str = "JP";
/// Games of bingo have this one.
pub(super) const BINGO_LABEL: &str = "BG";
/// Their category.
pub(super) const BINGO: &str = "BINGO";

/// A game of the catalogue.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its code, as in paths.
    pub code: String,
    /// Who runs it.
    pub vendor: String,
    /// The provider family.
    pub vassalage: String,
    /// What kind of game it is.
    pub game_type: String,
    /// Its name for people.
    pub name: String,
    /// What it is called in other languages, by the site's code of the language.
    pub names: BTreeMap<String, String>,
    /// 0: a free trial is offered.
    pub support_play: i16,
    /// What may be staked and won.
    pub limits: Limits,
    /// Its place among all games.
    pub position: i32,
    /// Its labels: SC, VP, JP, TG, AC, BG.
    pub classify: Vec<String>,
    /// Whether it is shown as new.
    pub is_new: bool,
    /// Whether it is among the hot games.
    pub is_hot: bool,
    /// `GAME`, or `VASSALAGE` for the list of a provider's games.
    pub is_game: String,
    /// What it runs on.
    pub platforms: Vec<String>,
    /// For which clients it is; 3 is the web.
    pub client_types: Vec<i16>,
    /// Where its picture is, if not among our own art.
    pub icon_url: Option<String>,
    /// Whether it cannot be started now.
    pub maintenance: Maintenance,
    /// Since when it is in the catalogue.
    pub added_at: DateTime<Utc>,
    /// Whether the merchant for whom it was looked up has it.
    pub is_offered: bool,
}

/// Why a game cannot be started now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maintenance {
    /// The game itself is under maintenance.
    pub game: bool,
    /// All games of its vendor are.
    pub vendor: bool,
}

impl Maintenance {
    /// Whether there is any.
    pub fn is_on(self) -> bool {
        self.game || self.vendor
    }
}

impl Game {
    /// Whether an account of this type may begin to play it now: a demo account only where a free
    /// trial is offered, and nobody while it is under maintenance.
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

    /// What it is called in a language.
    pub fn name_in(&self, language: Language) -> &str {
        self.names.get(language.code()).unwrap_or(&self.name)
    }

    /// What it gives back in the long run, of 100 staked: by the usual choice.
    pub fn return_percent(&self) -> &'static str {
        returns::stated(&self.code)
    }

    /// The category whose page lists it: some vendors of sports are of e-sports or cockfights.
    pub(super) fn category(&self, brand: &Brand) -> &str {
        let is_of = |vendors: &[String]| vendors.contains(&self.vassalage);
        match self.game_type.as_str() {
            "SPORTS" if is_of(&brand.esport_providers) => "ESPORTS",
            "SPORTS" if is_of(&brand.cockfight_providers) => "COCKFIGHT",
            game_type => game_type,
        }
    }

    /// The same as nobody is offered it, so that `check_player` refuses it.
    pub fn withheld(&self) -> Arc<Self> {
        Arc::new(Self { is_offered: false, ..self.clone() })
    }

    /// Whether it may not be offered where the visitor is. Bingo is bingo wherever it is listed.
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

/// What may be staked and won in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The smallest stake.
    pub min_stake: Amount,
    /// The largest stake.
    pub max_stake: Amount,
    /// A stake that could pay more than this is refused.
    pub max_payout: Amount,
}

/// A provider family.
#[derive(Clone, Debug)]
pub struct Vendor {
    /// Its code, as games name it.
    pub vassalage: String,
    /// Its name for people.
    pub display_name: String,
    /// The name of the account that its games are played from.
    pub account_type_name: String,
    /// Its place among all.
    pub position: i32,
    /// Whether none of its games can be started now.
    pub maintenance: bool,
}

/// A game as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameItem {
    node_id: String,
    vendor: String,
    vassalage: String,
    /// The vendor's name for people.
    vendor_name: String,
    game_type: String,
    game_code: String,
    /// In the language that was asked for.
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
    /// Whether it feeds a jackpot and can win it.
    jackpot: bool,
    /// Whether it cannot be started now.
    maintenance: bool,
    /// What the game gives back in the long run, of 100 staked, by the usual choice;
    /// empty where its vendor does not say.
    #[schema(example = "99")]
    return_percent: String,
}

impl GameItem {
    /// The game's code.
    pub(super) fn code(&self) -> &str {
        &self.game_code
    }

    /// A game as lists in this language show it.
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

/// A vendor as menus and cards show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VendorCard {
    vassalage: String,
    display_name: String,
    account_type_name: String,
    images: VendorImages,
    /// Whether none of its games can be started now.
    maintenance: bool,
    /// How many of its games are listed here.
    games: usize,
}

/// A vendor's images: our own art, by vendor and variant.
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
