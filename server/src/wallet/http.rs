//! The wallet's calls.

use axum::extract::State;
use capiz_rules::money::{Amount, Currency};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Posted, ops};
use crate::app::App;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::sessions::CurrentMember;

/// A member's money.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Balance {
    /// `PHP` for real money, `FUN` for demo money.
    currency: String,
    /// A decimal with up to four places.
    #[schema(example = "1250.5")]
    balance: String,
    /// Rises with every change: an older version never replaces a newer one.
    version: i64,
}

impl Balance {
    /// A balance for the wire.
    pub fn new(currency: Currency, balance: Amount, version: i64) -> Self {
        Self { currency: currency.code().to_owned(), balance: balance.to_string(), version }
    }

    /// The balance that a posting left.
    pub fn after(posted: &Posted, currency: Currency) -> Self {
        Self::new(currency, posted.balance, posted.version)
    }
}

/// The member's balance.
#[utoipa::path(get, path = "/wps/v2/wallets/balance", tag = "wallet", security(("token" = [])),
    responses((status = 200, body = Envelope<Balance>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_balance(State(app): State<App>, member: CurrentMember) -> Answer<Balance> {
    let mut db = app.db.acquire().await?;
    let found = ops::find_balance(&mut db, member.id, member.currency).await?;
    let (balance, version) =
        found.ok_or_else(|| ApiError::internal("a member without a wallet"))?;
    answer(Balance::new(member.currency, balance, version))
}

/// The wallet's routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_balance))
}
