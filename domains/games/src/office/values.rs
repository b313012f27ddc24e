//! What the office can change of the catalogue, as it is on the wire and in the trail.

use std::collections::BTreeMap;

use capiz_rules::money::{Amount, Currency};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Limits;
use platform::error::ApiError;

/// Places are small numbers.
const POSITION_MOST: i32 = 1_000_000;
/// The most that a limit can be: a thousand million.
const LIMIT_MOST: Amount = Amount::from_units(10_000_000_000_000);
/// Stakes and payouts are whole hundredths.
const UNIT: i64 = 100;

/// What can be changed of a vendor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct VendorValue {
    #[schema(min_length = 1, max_length = 60)]
    pub(super) display_name: String,
    /// Its place among all.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub(super) position: i32,
    /// Whether none of its games can be started.
    pub(super) maintenance: bool,
}

impl VendorValue {
    pub(super) fn check(&self) -> Result<(), ApiError> {
        let name = &self.display_name;
        let is_name = name.trim() == name && (1..=60).contains(&name.chars().count());
        if !is_name || name.chars().any(char::is_control) {
            return Err(ApiError::fields([("displayName", "invalid")]));
        }
        check_position(Some(self.position))
    }
}

/// What can be changed of a game for all merchants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GameValue {
    pub(super) is_new: bool,
    pub(super) is_hot: bool,
    /// Its place among all.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub(super) position: i32,
    /// Whether it cannot be started.
    pub(super) maintenance: bool,
}

impl GameValue {
    pub(super) fn check(&self) -> Result<(), ApiError> {
        check_position(Some(self.position))
    }
}

/// How a merchant offers a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfferValue {
    /// Whether its players have it.
    pub(super) visible: bool,
    /// Its place among the merchant's games; the catalogue's where there is none.
    #[schema(required, minimum = 0, maximum = 1_000_000)]
    pub(super) position: Option<i32>,
    /// Currency → what may be staked and won with it, where that is not as in the catalogue.
    pub(super) limits: BTreeMap<String, LimitsValue>,
}

impl Default for OfferValue {
    /// As a merchant has it that has decided nothing.
    fn default() -> Self {
        Self { visible: true, position: None, limits: BTreeMap::new() }
    }
}

/// What may be staked and won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LimitsValue {
    #[schema(value_type = String, example = "1")]
    pub(super) min_stake: Amount,
    #[schema(value_type = String, example = "10000")]
    pub(super) max_stake: Amount,
    #[schema(value_type = String, example = "1000000")]
    pub(super) max_payout: Amount,
}

impl From<Limits> for LimitsValue {
    fn from(limits: Limits) -> Self {
        let Limits { min_stake, max_stake, max_payout } = limits;
        Self { min_stake, max_stake, max_payout }
    }
}

impl LimitsValue {
    fn is_good(&self) -> bool {
        let all = [self.min_stake, self.max_stake, self.max_payout];
        let are_payable = all.iter().all(|amount| amount.units() % UNIT == 0);
        are_payable && Amount::ZERO < all[0] && all.is_sorted() && all[2] <= LIMIT_MOST
    }
}

impl OfferValue {
    pub(super) fn check(&self, currency: Currency) -> Result<(), ApiError> {
        let is_own =
            |code: &String| [currency.code(), Currency::Fun.code()].contains(&code.as_str());
        if !self.limits.keys().all(is_own) {
            return Err(ApiError::fields([("limits", "currency")]));
        }
        if !self.limits.values().all(LimitsValue::is_good) {
            return Err(ApiError::fields([("limits", "invalid")]));
        }
        check_position(self.position)
    }
}

fn check_position(position: Option<i32>) -> Result<(), ApiError> {
    match position.is_none_or(|position| (0..=POSITION_MOST).contains(&position)) {
        true => Ok(()),
        false => Err(ApiError::fields([("position", "invalid")])),
    }
}
