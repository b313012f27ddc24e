//! Members' money on the office's wire.

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
use super::office::{self, Accounts, Followed};
use super::office_store::{Filter, HoldRow};
use super::reasons::Reason;
use super::record::TransferRow;
use crate::Wallet;
use crate::rights::WalletRead;
use platform::csv::Csv;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query, usable_time};
use staff::{Allowed, Deed, Facts};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;
/// Rows of one file.
const EXPORT_MAX: usize = 50_000;

fn text_of(units: i64) -> String {
    Amount::from_units(units).to_string()
}

/// What is on one account of a member.
#[derive(Serialize, ToSchema)]
struct AccountBalance {
    /// `main`, `held`, `bonus`, `points` or `vendor:NAME`.
    account: String,
    currency: String,
    balance: String,
}

/// Money that is set aside, and for what.
#[derive(Serialize, ToSchema)]
struct HoldView {
    /// The record that it is for.
    id: Uuid,
    amount: String,
    /// What of it was taken when it ended; nothing while it is open.
    #[schema(required)]
    captured: Option<String>,
}

impl From<HoldRow> for HoldView {
    fn from(row: HoldRow) -> Self {
        Self { id: row.id, amount: text_of(row.amount), captured: row.captured.map(text_of) }
    }
}

/// A member's money.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberWallet {
    currency: String,
    accounts: Vec<AccountBalance>,
    /// What is set aside and not ended, the newest 100.
    open_holds: Vec<HoldView>,
    /// Where the record ends.
    head: ChainHead,
}

impl From<Accounts> for MemberWallet {
    fn from(Accounts { row, vendors, holds }: Accounts) -> Self {
        let account = |account: String, currency: &str, units: i64| AccountBalance {
            account,
            currency: currency.to_owned(),
            balance: text_of(units),
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

/// What is on a member's accounts.
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

/// Which transfers are looked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RecordQuery {
    /// A reason, `stake` for example.
    kind: Option<String>,
    /// An account on either side, `main` or `house:games` for example.
    account: Option<String>,
    /// Not before this moment.
    from: Option<DateTime<Utc>>,
    /// Before this moment.
    until: Option<DateTime<Utc>>,
    /// Not less than this amount.
    #[param(value_type = Option<String>)]
    least: Option<Amount>,
    /// Not more than this amount.
    #[param(value_type = Option<String>)]
    most: Option<Amount>,
    /// Only rows with smaller numbers than this.
    before: Option<i64>,
    /// How many, 200 at most.
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
            least: self.least.map(Amount::units),
            most: self.most.map(Amount::units),
        })
    }
}

/// A page of a member's record, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordPage {
    content: Vec<TransferView>,
    /// `before` of the next page, where there is more to look through. A page may be short and yet
    /// have one: each looks through a part of the record.
    #[schema(required)]
    next: Option<i64>,
}

/// A member's transfers, newest first.
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
    let page = (query.before, query.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX));
    let mut db = app.db.acquire().await?;
    let looked = office::look_through(&mut db, id, &query.filter()?, page).await?;
    let content = looked.rows.into_iter().map(Into::into).collect();
    answer(RecordPage { content, next: looked.next })
}

/// The transfers that are looked for as a file, the newest 50,000 at most; that it was taken stands
/// in the trail.
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
        let deed = Deed::plain("wallet.export", format!("member:{id}"));
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
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
        // The connection is for others between two stretches.
        let mut db = app.db.acquire().await?;
        let looked = office::look_through(&mut db, id, filter, (before, office::STRETCH)).await?;
        drop(db);
        for row in looked.rows {
            if count == EXPORT_MAX {
                file.line(&["There are more. Narrow the search to get them."]);
                return Ok(file);
            }
            count += 1;
            write_line(&mut file, row);
        }
        before = looked.next;
        if before.is_none() {
            return Ok(file);
        }
    }
}

fn write_line(file: &mut Csv, row: TransferRow) {
    let after = |units: Option<i64>| units.map(text_of).unwrap_or_default();
    file.line(&[
        &row.seq.to_string(),
        &row.at.to_rfc3339(),
        &row.kind,
        &row.debit,
        &row.credit,
        &text_of(row.amount),
        &row.currency,
        &after(row.debit_after),
        &after(row.credit_after),
        &row.reference.to_string(),
        &row.reverses.map(|seq| seq.to_string()).unwrap_or_default(),
        row.key.as_deref().unwrap_or_default(),
        &hex::encode(&row.hash),
    ]);
}

/// Who asked for a correction and who agreed.
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

/// A transfer, and everything that leads on from it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferFile {
    member_id: Uuid,
    merchant_id: Uuid,
    transfer: TransferView,
    /// What was on the accounts before, where they are the member's.
    #[schema(required)]
    debit_before: Option<String>,
    #[schema(required)]
    credit_before: Option<String>,
    /// The hash of the transfer before; 32 zero bytes before the first.
    previous_hash: String,
    /// Whether the transfer's own hash follows from that and from what the transfer says.
    hash_holds: bool,
    /// Where the record ends.
    head: ChainHead,
    /// The transfer that undoes this one.
    #[schema(required)]
    undone_by: Option<i64>,
    /// What else was moved at the same moment for the same record: the payout beside its stake.
    beside: Vec<TransferView>,
    /// What the reference points to: `round`, `correction`, `hold`, `gift` or `other`.
    about: &'static str,
    /// Of a correction: who asked and who agreed.
    #[schema(required)]
    approval: Option<ApprovalFacts>,
    /// Of money that was set aside.
    #[schema(required)]
    hold: Option<HoldView>,
}

impl TransferFile {
    fn new(member_id: Uuid, followed: Followed) -> Self {
        let row = &followed.row;
        Self {
            member_id,
            merchant_id: followed.merchant_id,
            debit_before: row.debit_after.map(|after| text_of(after + row.amount)),
            credit_before: row.credit_after.map(|after| text_of(after - row.amount)),
            previous_hash: hex::encode(followed.previous),
            hash_holds: followed.holds,
            head: ChainHead { seq: followed.head.0, hash: hex::encode(followed.head.1) },
            undone_by: followed.undone_by,
            beside: followed.beside.into_iter().map(Into::into).collect(),
            about: about(row, followed.hold.is_some()),
            approval: followed.approval.map(Into::into),
            hold: followed.hold.map(Into::into),
            transfer: followed.row.into(),
        }
    }
}

/// What the reference of a transfer points to.
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

/// One transfer of a member, with its place in the chain and what it was for.
#[utoipa::path(get, path = "/office/api/members/{id}/transfers/{seq}", tag = "wallet", operation_id = "office_get_transfer",
    params(("id" = Uuid, Path), ("seq" = i64, Path, description = "Its number in the member's record")),
    security(("office" = ["wallet.read"])),
    responses((status = 200, body = Envelope<TransferFile>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_transfer(
    _: Allowed<WalletRead>,
    State(app): State<Wallet>,
    Path((id, seq)): Path<(Uuid, i64)>,
) -> Answer<TransferFile> {
    let mut db = app.db.acquire().await?;
    answer(TransferFile::new(id, office::follow(&mut db, id, seq).await?))
}

/// The office's calls of the wallet.
pub fn routes() -> OpenApiRouter<Wallet> {
    OpenApiRouter::new()
        .routes(routes!(get_wallet))
        .routes(routes!(list_transfers))
        .routes(routes!(export_transfers))
        .routes(routes!(get_transfer))
}
