//! The wallet's calls: the balance, the account record, and the proofs.

use std::collections::BTreeSet;

use axum::extract::State;
use capiz_rules::merkle::{Side, Step};
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Datelike, NaiveDate, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::proofs::{self, Inclusion, Root};
use super::record::{self, TransferRow};
use super::store;
use super::{Posted, ops};
use crate::Wallet;
use crate::codes;
use identity::CurrentMember;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use site::OpenMerchant;

const PAGE_DEFAULT: u16 = 20;
const PAGE_MOST: u16 = 100;

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
async fn get_balance(State(app): State<Wallet>, member: CurrentMember) -> Answer<Balance> {
    let mut db = app.db.acquire().await?;
    let found = ops::find_balance(&mut db, member.id).await?;
    let (balance, version) =
        found.ok_or_else(|| ApiError::internal("a member without a wallet"))?;
    answer(Balance::new(member.currency, balance, version))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TransfersQuery {
    /// How many, at most 100.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Those before this sequence number, newest first.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Those after this sequence number, oldest first: for checking the chain.
    #[param(minimum = 0)]
    after: Option<i64>,
}

/// Money that moved, with everything that its hash covers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransferView {
    pub(super) seq: i64,
    /// In UTC, exact to the microsecond.
    at: String,
    currency: String,
    #[schema(example = "main")]
    debit: String,
    #[schema(example = "house:games")]
    credit: String,
    amount: String,
    /// Why.
    #[schema(example = "stake")]
    kind: String,
    #[schema(required)]
    key: Option<String>,
    #[schema(required)]
    body_hash: Option<String>,
    reference: Uuid,
    /// The transfer that this one undoes.
    #[schema(required)]
    reverses: Option<i64>,
    #[schema(required)]
    debit_after: Option<String>,
    #[schema(required)]
    credit_after: Option<String>,
    hash: String,
}

impl From<TransferRow> for TransferView {
    fn from(row: TransferRow) -> Self {
        let amount = |units| Amount::from_units(units).to_string();
        Self {
            seq: row.seq,
            at: row.at.to_rfc3339_opts(SecondsFormat::Micros, true),
            currency: row.currency,
            debit: row.debit,
            credit: row.credit,
            amount: amount(row.amount),
            kind: row.kind,
            key: row.key,
            body_hash: row.body_hash.map(hex::encode),
            reference: row.reference,
            reverses: row.reverses,
            debit_after: row.debit_after.map(amount),
            credit_after: row.credit_after.map(amount),
            hash: hex::encode(row.hash),
        }
    }
}

/// Where the member's chain ends.
#[derive(Serialize, ToSchema)]
pub(super) struct ChainHead {
    pub(super) seq: i64,
    pub(super) hash: String,
}

/// A page of the account record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferPage {
    holder_id: Uuid,
    merchant_id: Uuid,
    head: ChainHead,
    content: Vec<TransferView>,
    /// `before` or `after` of the next page, if there is one.
    #[schema(required)]
    next: Option<i64>,
}

/// The member's account record: newest first, or oldest first after a number.
#[utoipa::path(get, path = "/wps/v2/wallets/transfers", tag = "wallet", security(("token" = [])),
    params(TransfersQuery),
    responses((status = 200, body = Envelope<TransferPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_transfers(
    State(app): State<Wallet>,
    member: CurrentMember,
    Query(query): Query<TransfersQuery>,
) -> Answer<TransferPage> {
    let limit = page_size(query.limit)?;
    if query.before.is_some_and(|seq| seq < 1) {
        return Err(ApiError::fields([("before", "invalid")]));
    }
    if query.after.is_some_and(|seq| seq < 0) {
        return Err(ApiError::fields([("after", "invalid")]));
    }
    let mut db = app.db.acquire().await?;
    // The head first: it is never ahead of the rows that are read after it.
    let head = record::find_head(&mut db, member.id).await?;
    let head = head.ok_or_else(|| ApiError::internal("a member without a wallet"))?;
    let rows = match (query.after, query.before) {
        (Some(_), Some(_)) => return Err(ApiError::fields([("after", "invalid")])),
        (Some(after), None) => record::list_after(&mut db, member.id, after, limit).await?,
        (None, before) => {
            record::list_before(&mut db, member.id, before.unwrap_or(i64::MAX), limit).await?
        }
    };
    let is_full = i64::try_from(rows.len()) == Ok(limit);
    // Before the first there is nothing; after it there may be more.
    let leads_on = |seq: &i64| query.after.is_some() || *seq > 1;
    let next = rows.last().filter(|_| is_full).map(|row| row.seq).filter(leads_on);
    answer(TransferPage {
        holder_id: member.id,
        merchant_id: head.merchant_id,
        head: ChainHead { seq: head.seq, hash: hex::encode(head.hash) },
        content: rows.into_iter().map(Into::into).collect(),
        next,
    })
}

/// The database knows fewer years than the calendar does.
fn usable_day(field: &'static str, day: Option<NaiveDate>) -> Result<Option<NaiveDate>, ApiError> {
    match day {
        Some(day) if !(1..=9999).contains(&day.year()) => {
            Err(ApiError::fields([(field, "invalid")]))
        }
        day => Ok(day),
    }
}

fn page_size(limit: Option<u16>) -> Result<i64, ApiError> {
    match limit.unwrap_or(PAGE_DEFAULT) {
        limit if (1..=PAGE_MOST).contains(&limit) => Ok(i64::from(limit)),
        _ => Err(ApiError::fields([("limit", "invalid")])),
    }
}

/// What became of a request that moves money.
#[derive(Serialize, ToSchema)]
struct KeyOutcome {
    /// The record that it made, a round for example.
    reference: Uuid,
    kind: String,
    /// The first of its transfers.
    seq: i64,
    balance: Balance,
}

/// What was done under an idempotency key.
#[utoipa::path(get, path = "/wps/v2/wallets/transfers/key/{key}", tag = "wallet",
    security(("token" = [])), params(("key" = String, Path, description = "The key as sent")),
    responses((status = 200, body = Envelope<KeyOutcome>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find_by_key(
    State(app): State<Wallet>,
    member: CurrentMember,
    Path(key): Path<String>,
) -> Answer<KeyOutcome> {
    let mut db = app.db.acquire().await?;
    let found = store::find_bound(&mut db, vec![(member.id, key)]).await?;
    let bound = found.into_values().next();
    let bound = bound.ok_or_else(|| ApiError::new(codes::UNKNOWN_KEY))?;
    let balance = Balance::after(&bound.posted(), member.currency);
    answer(KeyOutcome {
        reference: bound.reference,
        kind: bound.kind,
        seq: bound.first_seq,
        balance,
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProofsQuery {
    /// How many days, at most 100.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// `next` of the page before.
    before: Option<NaiveDate>,
}

/// What the house owed on a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RootView {
    #[schema(example = "2026-11-14")]
    day: NaiveDate,
    currency: String,
    /// The root of the tree over all balances.
    root: String,
    total: String,
    leaves: i64,
    made_at: DateTime<Utc>,
}

impl From<Root> for RootView {
    fn from(root: Root) -> Self {
        Self {
            day: root.day,
            currency: root.currency,
            root: hex::encode(root.root),
            total: Amount::from_units(root.total).to_string(),
            leaves: root.leaves,
            made_at: root.made_at,
        }
    }
}

/// A page of published roots, newest first.
#[derive(Serialize, ToSchema)]
struct RootPage {
    content: Vec<RootView>,
    /// `before` of the next page, if there is one.
    #[schema(required)]
    next: Option<NaiveDate>,
}

/// What the house owed, day by day.
#[utoipa::path(get, path = "/wps/v2/proofs", tag = "wallet", params(ProofsQuery),
    responses((status = 200, body = Envelope<RootPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_proofs(
    State(app): State<Wallet>,
    OpenMerchant(merchant): OpenMerchant,
    Query(query): Query<ProofsQuery>,
) -> Answer<RootPage> {
    let limit = page_size(query.limit)?;
    let before = usable_day("before", query.before)?;
    let mut db = app.db.acquire().await?;
    let roots = proofs::list_roots(&mut db, merchant.id, before, limit).await?;
    let days: BTreeSet<_> = roots.iter().map(|root| root.day).collect();
    let is_full = i64::try_from(days.len()) == Ok(limit);
    let next = days.first().copied().filter(|_| is_full);
    answer(RootPage { content: roots.into_iter().map(Into::into).collect(), next })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProofQuery {
    /// Of which day; the latest if it is left out.
    day: Option<NaiveDate>,
    /// `PTS` for points; the member's money if it is left out.
    currency: Option<String>,
}

/// One step from a balance to the root.
#[derive(Serialize, ToSchema)]
struct StepView {
    /// Where the sibling stands.
    #[schema(value_type = SideName)]
    side: &'static str,
    hash: String,
    sum: String,
}

/// Where a sibling stands.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes a text in the API document")]
enum SideName {
    Left,
    Right,
}

impl From<Step> for StepView {
    fn from(step: Step) -> Self {
        let side = match step.side {
            Side::Left => "left",
            Side::Right => "right",
        };
        let sum = Amount::from_units(step.node.sum).to_string();
        Self { side, hash: hex::encode(step.node.hash), sum }
    }
}

/// The way from the member's balance to the published root.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProofView {
    day: NaiveDate,
    currency: String,
    holder_id: Uuid,
    balance: String,
    salt: String,
    steps: Vec<StepView>,
    root: String,
    total: String,
    leaves: i64,
}

/// The proof that the member's balance was counted.
#[utoipa::path(get, path = "/wps/v2/wallets/proof", tag = "wallet", security(("token" = [])),
    params(ProofQuery),
    responses((status = 200, body = Envelope<ProofView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find_proof(
    State(app): State<Wallet>,
    member: CurrentMember,
    Query(query): Query<ProofQuery>,
) -> Answer<ProofView> {
    let day = usable_day("day", query.day)?;
    let mut db = app.db.acquire().await?;
    let who = (member.merchant.id, member.id);
    let currency = match query.currency.as_deref() {
        None => member.currency,
        Some(code) => code.parse().map_err(|_| ApiError::fields([("currency", "invalid")]))?,
    };
    let wanted = (currency, day);
    let found = proofs::find_inclusion(&mut db, &app.prover, who, wanted).await?;
    let Inclusion { root, balance, salt, steps } =
        found.ok_or_else(|| ApiError::new(codes::NO_PROOF))?;
    answer(ProofView {
        day: root.day,
        currency: root.currency,
        holder_id: member.id,
        balance: balance.to_string(),
        salt: hex::encode(salt),
        steps: steps.into_iter().map(Into::into).collect(),
        root: hex::encode(root.root),
        total: Amount::from_units(root.total).to_string(),
        leaves: root.leaves,
    })
}

/// The wallet's routes.
pub fn routes() -> OpenApiRouter<Wallet> {
    OpenApiRouter::new()
        .routes(routes!(get_balance))
        .routes(routes!(list_transfers))
        .routes(routes!(find_by_key))
        .routes(routes!(list_proofs))
        .routes(routes!(find_proof))
}
