//! Player API of the wallet: balance, transfers, lookup by idempotency key, proofs of liabilities.

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

/// A member's main balance.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Balance {
    /// `PHP` for real money, `FUN` for demo money.
    currency: String,
    /// A decimal with up to four decimal places.
    #[schema(example = "1250.5")]
    balance: String,
    /// Rises with every change, so that a page can ignore a balance older than the one it has.
    version: i64,
}

impl Balance {
    /// A balance for an API answer.
    pub fn new(currency: Currency, balance: Amount, version: i64) -> Self {
        Self { currency: currency.code().to_owned(), balance: balance.to_string(), version }
    }

    /// The balance after a posting.
    pub fn after(posted: &Posted, currency: Currency) -> Self {
        Self::new(currency, posted.balance, posted.version)
    }
}

/// Returns the member's main balance.
#[utoipa::path(get, path = "/wps/v2/wallets/balance", tag = "wallet", security(("token" = [])),
    responses((status = 200, body = Envelope<Balance>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_balance(State(app): State<Wallet>, member: CurrentMember) -> Answer<Balance> {
    let mut db = app.db.acquire().await?;
    let found = ops::find_balance(&mut db, member.id).await?;
    let (balance, version) = found.ok_or_else(|| ApiError::internal("the member has no wallet"))?;
    answer(Balance::new(member.currency, balance, version))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TransfersQuery {
    /// The page size, 100 at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Only transfers before this sequence number, newest first.
    #[param(minimum = 1)]
    before: Option<i64>,
    /// Only transfers after this sequence number, oldest first: for checking the hash chain.
    #[param(minimum = 0)]
    after: Option<i64>,
}

/// A transfer, with all the fields that its hash covers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransferView {
    pub(super) seq: i64,
    /// The time in UTC, with microseconds.
    at: String,
    currency: String,
    #[schema(example = "main")]
    debit: String,
    #[schema(example = "house:games")]
    credit: String,
    amount: String,
    /// The reason.
    #[schema(example = "stake")]
    kind: String,
    #[schema(required)]
    key: Option<String>,
    #[schema(required)]
    body_hash: Option<String>,
    reference: Uuid,
    /// The sequence number of the transfer that this one reverses.
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

/// The newest sequence number and hash of the member's chain.
#[derive(Serialize, ToSchema)]
pub(super) struct ChainHead {
    pub(super) seq: i64,
    pub(super) hash: String,
}

/// A page of the member's transfers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferPage {
    holder_id: Uuid,
    merchant_id: Uuid,
    head: ChainHead,
    content: Vec<TransferView>,
    /// `before` or `after` of the next page; null if there is none.
    #[schema(required)]
    next: Option<i64>,
}

/// Lists the member's transfers: newest first, or oldest first if `after` is given.
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
    // Reads the chain head before the rows, so that it is never ahead of them.
    let head = record::find_head(&mut db, member.id).await?;
    let head = head.ok_or_else(|| ApiError::internal("the member has no wallet"))?;
    let rows = match (query.after, query.before) {
        (Some(_), Some(_)) => return Err(ApiError::fields([("after", "invalid")])),
        (Some(after), None) => record::list_after(&mut db, member.id, after, limit).await?,
        (None, before) => {
            record::list_before(&mut db, member.id, before.unwrap_or(i64::MAX), limit).await?
        }
    };
    let is_full = i64::try_from(rows.len()) == Ok(limit);
    // Below sequence number 1 there is no page; above the last row more may be appended.
    let has_next = |seq: &i64| query.after.is_some() || *seq > 1;
    let next = rows.last().filter(|_| is_full).map(|row| row.seq).filter(has_next);
    answer(TransferPage {
        holder_id: member.id,
        merchant_id: head.merchant_id,
        head: ChainHead { seq: head.seq, hash: hex::encode(head.hash) },
        content: rows.into_iter().map(Into::into).collect(),
        next,
    })
}

/// Refuses years outside 1 to 9999: PostgreSQL supports fewer years than `NaiveDate`.
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

/// The outcome of a request with an idempotency key.
#[derive(Serialize, ToSchema)]
struct KeyOutcome {
    /// The id of the record that it created, for example a round.
    reference: Uuid,
    kind: String,
    /// The sequence number of its first transfer.
    seq: i64,
    balance: Balance,
}

/// Returns the outcome of an earlier request by its idempotency key.
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
    let found = store::find_posted_keys(&mut db, vec![(member.id, key)]).await?;
    let found = found.into_values().next();
    let found = found.ok_or_else(|| ApiError::new(codes::UNKNOWN_KEY))?;
    let balance = Balance::after(&found.posted(), member.currency);
    answer(KeyOutcome {
        reference: found.reference,
        kind: found.kind,
        seq: found.first_seq,
        balance,
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProofsQuery {
    /// The number of days, 100 at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// `next` of the previous page.
    before: Option<NaiveDate>,
}

/// The published proof of liabilities of one day and currency.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RootView {
    #[schema(example = "2026-11-14")]
    day: NaiveDate,
    currency: String,
    /// The root hash of the Merkle sum tree over all balances.
    root: String,
    /// The sum of all balances: what the house owes.
    total: String,
    /// The number of balances in the tree.
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
    /// `before` of the next page; null if this page is not full.
    #[schema(required)]
    next: Option<NaiveDate>,
}

/// Lists the daily proofs of liabilities, newest first.
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
    /// The day; the latest published one by default.
    day: Option<NaiveDate>,
    /// `PTS` for points; the member's currency by default.
    currency: Option<String>,
}

/// One step of a Merkle proof, from a balance to the root.
#[derive(Serialize, ToSchema)]
struct StepView {
    /// On which side the sibling is.
    #[schema(value_type = SideName)]
    side: &'static str,
    hash: String,
    sum: String,
}

/// The side of a sibling node.
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

/// The Merkle proof from the member's balance to the published root.
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

/// Returns the proof that the member's balance is included in the published total.
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
    let holder = (member.merchant.id, member.id);
    let currency = match query.currency.as_deref() {
        None => member.currency,
        Some(code) => code.parse().map_err(|_| ApiError::fields([("currency", "invalid")]))?,
    };
    let found = proofs::find_inclusion(&mut db, &app.prover, holder, (currency, day)).await?;
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

/// The player routes of the wallet.
pub fn routes() -> OpenApiRouter<Wallet> {
    OpenApiRouter::new()
        .routes(routes!(get_balance))
        .routes(routes!(list_transfers))
        .routes(routes!(find_by_key))
        .routes(routes!(list_proofs))
        .routes(routes!(find_proof))
}
