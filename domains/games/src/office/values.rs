//! The values of the catalogue that staff can change, as sent over the API and stored in the audit
//! log.

use std::collections::BTreeMap;

use capiz_rules::money::{Amount, Currency};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Limits;
use platform::error::ApiError;

/// The largest sort position.
const POSITION_MAX: i32 = 1_000_000;
/// The largest limit: one billion.
const LIMIT_MAX: Amount = Amount::from_units(10_000_000_000_000);
/// Limits are whole hundredths; amounts are stored in ten-thousandths.
const UNIT: i64 = 100;

/// What staff can change of a vendor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct VendorValue {
    #[schema(min_length = 1, max_length = 60)]
    pub(super) display_name: String,
    /// The sort position among all.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub(super) position: i32,
    /// Whether all of its games are under maintenance.
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

/// What staff can change of a game for all merchants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct GameValue {
    pub(super) is_new: bool,
    pub(super) is_hot: bool,
    /// The sort position among all.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub(super) position: i32,
    /// Whether the game is under maintenance and cannot be started.
    pub(super) maintenance: bool,
}

impl GameValue {
    pub(super) fn check(&self) -> Result<(), ApiError> {
        check_position(Some(self.position))
    }
}

/// A merchant's offer of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfferValue {
    /// Whether the merchant offers the game.
    pub(super) visible: bool,
    /// The sort position at this merchant; `null` for the catalogue's.
    #[schema(required, minimum = 0, maximum = 1_000_000)]
    pub(super) position: Option<i32>,
    /// The merchant's own limits by currency; others are as in the catalogue.
    pub(super) limits: BTreeMap<String, LimitsValue>,
}

impl Default for OfferValue {
    /// The offer of a merchant that has changed nothing.
    fn default() -> Self {
        Self { visible: true, position: None, limits: BTreeMap::new() }
    }
}

/// The stake and payout limits of a round.
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
    fn is_valid(&self) -> bool {
        let all = [self.min_stake, self.max_stake, self.max_payout];
        let are_payable = all.iter().all(|amount| amount.units() % UNIT == 0);
        are_payable && Amount::ZERO < all[0] && all.is_sorted() && all[2] <= LIMIT_MAX
    }
}

impl OfferValue {
    pub(super) fn check(&self, currency: Currency) -> Result<(), ApiError> {
        let is_usable =
            |code: &String| [currency.code(), Currency::Fun.code()].contains(&code.as_str());
        if !self.limits.keys().all(is_usable) {
            return Err(ApiError::fields([("limits", "currency")]));
        }
        if !self.limits.values().all(LimitsValue::is_valid) {
            return Err(ApiError::fields([("limits", "invalid")]));
        }
        check_position(self.position)
    }
}

fn check_position(position: Option<i32>) -> Result<(), ApiError> {
    match position.is_none_or(|position| (0..=POSITION_MAX).contains(&position)) {
        true => Ok(()),
        false => Err(ApiError::fields([("position", "invalid")])),
    }
}
