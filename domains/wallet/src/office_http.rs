//! Office API of the wallet: a member's balances, transfers, export and transfer details.

use axum::extract::State;
use axum::response::Response;
use capiz_rules::money::Amount;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::http::{ChainHead, TransferView};
use super::model::Account;
use super::office::{self, Accounts, TransferDetails};
use super::office_store::{Filter, HoldRow};
use super::reasons::Reason;
use super::record::TransferRow;
use crate::Wallet;
use crate::rights::WalletRead;
use platform::csv::Csv;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query, usable_time};
use staff::{Allowed, AuditEntry, Facts};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;
/// The maximum number of rows in an exported file.
const EXPORT_MAX: usize = 50_000;

fn format_amount(units: i64) -> String {
    Amount::from_units(units).to_string()
}

/// The balance of one account of a member.
#[derive(Serialize, ToSchema)]
struct AccountBalance {
    /// `main`, `held`, `bonus`, `points` or `vendor:NAME`.
    account: String,
    currency: String,
    balance: String,
}

/// A hold: money reserved for a record, such as a withdrawal.
#[derive(Serialize, ToSchema)]
struct HoldView {
    /// The id of the record that it is for.
    id: Uuid,
    amount: String,
    /// The amount that was captured when the hold ended; null while it is open.
    #[schema(required)]
    captured: Option<String>,
}

impl From<HoldRow> for HoldView {
    fn from(row: HoldRow) -> Self {
        Self {
            id: row.id,
            amount: format_amount(row.amount),
            captured: row.captured.map(format_amount),
        }
    }
}

/// A member's balances and open holds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberWallet {
    currency: String,
    accounts: Vec<AccountBalance>,
    /// The newest 100 open holds.
    open_holds: Vec<HoldView>,
    /// The newest sequence number and hash of the member's chain.
    head: ChainHead,
}

impl From<Accounts> for MemberWallet {
    fn from(Accounts { row, vendors, holds }: Accounts) -> Self {
        let account = |account: String, currency: &str, units: i64| AccountBalance {
            account,
            currency: currency.to_owned(),
            balance: format_amount(units),
        };
        let own = [("main", row.main), ("held", row.held), ("bonus", row.bonus)];
        let own = own.map(|(name, units)| account(name.to_owned(), &row.currency, units));
        let vendors = vendors
            .into_iter()
            .map(|(name, units)| account(format!("vendor:{name}"), &row.currency, units));
        let points = account("points".to_owned(), "PTS", row.points);
        Self {
            accounts: own.into_iter().chain(vendors).chain([points]).collect(),
            open_holds: holds.into_iter().map(Into::into).collect(),
            head: ChainHead { seq: row.seq, hash: hex::encode(row.hash) },
            currency: row.currency,
        }
    }
}

/// Returns a member's balances and open holds.
#[utoipa::path(get, path = "/office/api/members/{id}/wallet", tag = "wallet", operation_id = "office_get_wallet",
    params(("id" = Uuid, Path)), security(("office" = ["wallet.read"])),
    responses((status = 200, body = Envelope<MemberWallet>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_wallet(
    _: Allowed<WalletRead>,
    State(app): State<Wallet>,
    Path(id): Path<Uuid>,
) -> Answer<MemberWallet> {
    let mut db = app.db.acquire().await?;
    answer(office::find_accounts(&mut db, id).await?.into())
}

/// The filter and the page of a list of transfers.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RecordQuery {
    /// The reason, for example `stake`.
    kind: Option<String>,
    /// An account that is debited or credited, for example `main` or `house:games`.
    account: Option<String>,
    /// Only transfers at or after this time.
    from: Option<DateTime<Utc>>,
    /// Only transfers before this time.
    until: Option<DateTime<Utc>>,
    /// The minimum amount.
    #[param(value_type = Option<String>)]
    least: Option<Amount>,
    /// The maximum amount.
    #[param(value_type = Option<String>)]
    most: Option<Amount>,
    /// Only transfers with a smaller sequence number: the `next` of the previous page.
    before: Option<i64>,
    /// The page size, 200 at most.
    limit: Option<i64>,
}

impl RecordQuery {
    fn filter(&self) -> Result<Filter, ApiError> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (kind, account) = (given(&self.kind), given(&self.account));
        if kind.as_deref().is_some_and(|kind| Reason::parse(kind).is_none()) {
            return Err(ApiError::fields([("kind", "unknown")]));
        }
        if account.as_deref().is_some_and(|account| Account::parse(account).is_none()) {
            return Err(ApiError::fields([("account", "unknown")]));
        }
        Ok(Filter {
            kind,
            account,
            from: usable_time("from", self.from)?,
            until: usable_time("until", self.until)?,
            min_amount: self.least.map(Amount::units),
            max_amount: self.most.map(Amount::units),
        })
    }
}

/// A page of a member's transfers, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordPage {
    content: Vec<TransferView>,
    /// `before` of the next page; null on the last page. A page may be short or empty and still
    /// have a next one, because each page scans a limited number of rows.
    #[schema(required)]
    next: Option<i64>,
}

/// Lists a member's transfers, newest first.
#[utoipa::path(get, path = "/office/api/members/{id}/transfers", tag = "wallet", operation_id = "office_list_transfers",
    params(("id" = Uuid, Path), RecordQuery), security(("office" = ["wallet.read"])),
    responses((status = 200, body = Envelope<RecordPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_transfers(
    _: Allowed<WalletRead>,
    State(app): State<Wallet>,
    Path(id): Path<Uuid>,
    Query(query): Query<RecordQuery>,
) -> Answer<RecordPage> {
    let page = (query.before, query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX));
    let mut db = app.db.acquire().await?;
    let page = office::scan_transfers(&mut db, id, &query.filter()?, page).await?;
    let content = page.rows.into_iter().map(Into::into).collect();
    answer(RecordPage { content, next: page.next })
}

/// Exports the matching transfers as a CSV file, the newest 50,000 at most. The export is recorded
/// in the audit log.
#[utoipa::path(get, path = "/office/api/members/{id}/transfers/export", tag = "wallet", operation_id = "office_export_transfers",
    params(("id" = Uuid, Path), RecordQuery), security(("office" = ["wallet.read"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export_transfers(
    Allowed(person, ..): Allowed<WalletRead>,
    State(app): State<Wallet>,
    Path(id): Path<Uuid>,
    Query(query): Query<RecordQuery>,
) -> Result<Response, ApiError> {
    let file = write_file(&app, id, &query.filter()?).await?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let entry = AuditEntry::plain("wallet.export", format!("member:{id}"));
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await?;
    Ok(file.answer("transfers"))
}

async fn write_file(app: &Wallet, id: Uuid, filter: &Filter) -> Result<Csv, ApiError> {
    let columns = [
        "number",
        "time",
        "reason",
        "from",
        "to",
        "amount",
        "currency",
        "from after",
        "to after",
        "reference",
        "undoes",
        "key",
        "hash",
    ];
    let (mut file, mut count, mut before) = (Csv::new(&columns), 0, None);
    loop {
        // Returns the connection to the pool between two scans.
        let mut db = app.db.acquire().await?;
        let page = office::scan_transfers(&mut db, id, filter, (before, office::SCAN_MAX)).await?;
        drop(db);
        for row in page.rows {
            if count == EXPORT_MAX {
                file.line(&["There are more. Narrow the search to get them."]);
                return Ok(file);
            }
            count += 1;
            write_line(&mut file, row);
        }
        before = page.next;
        if before.is_none() {
            return Ok(file);
        }
    }
}

fn write_line(file: &mut Csv, row: TransferRow) {
    let after = |units: Option<i64>| units.map(format_amount).unwrap_or_default();
    file.line(&[
        &row.seq.to_string(),
        &row.at.to_rfc3339(),
        &row.kind,
        &row.debit,
        &row.credit,
        &format_amount(row.amount),
        &row.currency,
        &after(row.debit_after),
        &after(row.credit_after),
        &row.reference.to_string(),
        &row.reverses.map(|seq| seq.to_string()).unwrap_or_default(),
        row.key.as_deref().unwrap_or_default(),
        &hex::encode(&row.hash),
    ]);
}

/// Who requested a correction and who decided on it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApprovalFacts {
    reason: String,
    asked_by: String,
    asked_at: DateTime<Utc>,
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    decision_reason: Option<String>,
}

impl From<Facts> for ApprovalFacts {
    fn from(facts: Facts) -> Self {
        Self {
            reason: facts.reason,
            asked_by: facts.asked_by,
            asked_at: facts.asked_at,
            decided_by: facts.decided_by,
            decided_at: facts.decided_at,
            decision_reason: facts.decision_reason,
        }
    }
}

/// A transfer with its place in the hash chain and everything related to it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferFile {
    member_id: Uuid,
    merchant_id: Uuid,
    transfer: TransferView,
    /// The balance of the debited account before the transfer; null for a house account.
    #[schema(required)]
    debit_before: Option<String>,
    /// The balance of the credited account before the transfer; null for a house account.
    #[schema(required)]
    credit_before: Option<String>,
    /// The hash of the previous transfer; 32 zero bytes for the first.
    previous_hash: String,
    /// Whether the transfer's hash matches its content and the previous hash.
    hash_holds: bool,
    /// The newest sequence number and hash of the member's chain.
    head: ChainHead,
    /// The sequence number of the transfer that reverses this one.
    #[schema(required)]
    undone_by: Option<i64>,
    /// The other transfers for the same record at the same time, for example the payout of a stake.
    beside: Vec<TransferView>,
    /// What the reference refers to: `round`, `correction`, `hold`, `gift` or `other`.
    about: &'static str,
    /// For a correction: who requested it and who decided on it.
    #[schema(required)]
    approval: Option<ApprovalFacts>,
    /// For a hold, capture or release: the hold.
    #[schema(required)]
    hold: Option<HoldView>,
}

impl TransferFile {
    fn new(member_id: Uuid, details: TransferDetails) -> Self {
        let row = &details.row;
        Self {
            member_id,
            merchant_id: details.merchant_id,
            debit_before: row.debit_after.map(|after| format_amount(after + row.amount)),
            credit_before: row.credit_after.map(|after| format_amount(after - row.amount)),
            previous_hash: hex::encode(details.previous),
            hash_holds: details.is_hash_valid,
            head: ChainHead { seq: details.head.0, hash: hex::encode(details.head.1) },
            undone_by: details.reversed_by,
            beside: details.related.into_iter().map(Into::into).collect(),
            about: about(row, details.hold.is_some()),
            approval: details.approval.map(Into::into),
            hold: details.hold.map(Into::into),
            transfer: details.row.into(),
        }
    }
}

/// The kind of record that a transfer's reference refers to.
fn about(row: &TransferRow, has_hold: bool) -> &'static str {
    let is_game = |account: &str| matches!(account, "house:games" | "house:demo-games");
    match row.kind.as_str() {
        "correction" => "correction",
        "welcome" => "gift",
        _ if is_game(&row.debit) || is_game(&row.credit) => "round",
        _ if has_hold => "hold",
        _ => "other",
    }
}

/// Returns one transfer of a member with its place in the hash chain and the record it was for.
#[utoipa::path(get, path = "/office/api/members/{id}/transfers/{seq}", tag = "wallet", operation_id = "office_get_transfer",
    params(("id" = Uuid, Path), ("seq" = i64, Path, description = "The sequence number of the transfer")),
    security(("office" = ["wallet.read"])),
    responses((status = 200, body = Envelope<TransferFile>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_transfer(
    _: Allowed<WalletRead>,
    State(app): State<Wallet>,
    Path((id, seq)): Path<(Uuid, i64)>,
) -> Answer<TransferFile> {
    let mut db = app.db.acquire().await?;
    answer(TransferFile::new(id, office::find_details(&mut db, id, seq).await?))
}

/// The office routes of the wallet.
pub fn routes() -> OpenApiRouter<Wallet> {
    OpenApiRouter::new()
        .routes(routes!(get_wallet))
        .routes(routes!(list_transfers))
        .routes(routes!(export_transfers))
        .routes(routes!(get_transfer))
}
