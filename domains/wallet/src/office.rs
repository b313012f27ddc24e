//! Office use cases: a member's accounts, filtered transfers, transfer details; and the hook that
//! freezes or closes a wallet.
//!
//! A member's history may have a million rows of which few match a filter. So each page scans a
//! bounded range of rows and returns where it stopped. Time limits are first converted to sequence
//! numbers by binary search.

use capiz_rules::chain;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Duration, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::http::TransferView;
use super::locked::Locked;
use super::office_store::{self, AccountsRow, Filter, HoldRow, SeqRange};
use super::record::{self, TransferRow};
use super::store;
use crate::Wallet;
use crate::codes;
use crate::rights::WalletRead;
use members::{MemberState, StateChange};
use platform::Core;
use platform::error::ApiError;
use staff::Facts;
use staff::{FoundThing, RequiredRight as _, StaffSession};

/// The maximum number of rows that one page scans.
pub(super) const SCAN_MAX: i64 = 20_000;
/// The assumed maximum difference between the clocks of nodes. Times rise with sequence numbers
/// except for this, so time ranges are widened by it.
const CLOCK_SKEW: Duration = Duration::minutes(5);
/// How many open holds are shown.
const HOLDS: i64 = 100;

/// Hook for a change of a member's state: sets the frozen and closed flags of the wallet under the
/// same row lock that orders are decided under. An account with money cannot be closed.
pub fn on_state_changed<'a>(
    _: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    change: &'a StateChange,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let id = change.member_id;
        let locked = Locked::lock(tx, &[id]).await?;
        let is_closed = change.state == MemberState::Closed;
        // Demo money has no value, so it does not prevent closing.
        let is_demo = locked.currency(id) == Some(Currency::Fun);
        if is_closed && !is_demo && !locked.is_empty(id) {
            return Err(ApiError::new(members::codes::HAS_MONEY));
        }
        let is_frozen = change.state != MemberState::Active;
        office_store::update_state(tx, id, (is_frozen, is_closed)).await?;
        Ok(())
    })
}

/// A member's accounts and open holds.
pub(super) struct Accounts {
    pub(super) row: AccountsRow,
    pub(super) vendors: Vec<(String, i64)>,
    pub(super) holds: Vec<HoldRow>,
}

pub(super) async fn find_accounts(db: &mut PgConnection, id: Uuid) -> Result<Accounts, ApiError> {
    let row = office_store::find_accounts(db, id).await?;
    let row = row.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    let vendors = store::list_vendors(db, &[id]).await?.into_iter();
    let vendors = vendors.map(|(_, vendor, balance)| (vendor.name().to_owned(), balance)).collect();
    Ok(Accounts { row, vendors, holds: office_store::list_open_holds(db, id, HOLDS).await? })
}

/// A page of transfers, and the sequence number below which the next page continues.
pub(super) struct ScanPage {
    pub(super) rows: Vec<TransferRow>,
    pub(super) next: Option<i64>,
}

/// Scans a member's transfers downwards from a sequence number, and returns those that match.
pub(super) async fn scan_transfers(
    db: &mut PgConnection,
    id: Uuid,
    filter: &Filter,
    (before, limit): (Option<i64>, i64),
) -> Result<ScanPage, ApiError> {
    let head = record::find_head(db, id).await?;
    let head = head.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?.seq;
    let mut below = before.unwrap_or(i64::MAX).min(head + 1);
    let mut bottom = 0;
    if let Some(until) = filter.until {
        below = below.min(first_seq_at(db, id, head, until + CLOCK_SKEW).await?);
    }
    if let Some(from) = filter.from {
        bottom = first_seq_at(db, id, head, from - CLOCK_SKEW).await? - 1;
    }
    let above = bottom.max(below - 1 - SCAN_MAX);
    let range = SeqRange { holder_id: id, above, below };
    let rows = office_store::list_matching(db, range, filter, limit).await?;
    let is_full = i64::try_from(rows.len()) == Ok(limit);
    let stopped = match rows.last().filter(|_| is_full) {
        Some(last) => last.seq,
        None => above + 1,
    };
    Ok(ScanPage { rows, next: Some(stopped).filter(|seq| *seq > bottom + 1) })
}

/// The first sequence number at or after a time, by binary search: sequence numbers have no gaps
/// and rise with time.
async fn first_seq_at(
    db: &mut PgConnection,
    id: Uuid,
    head: i64,
    time: DateTime<Utc>,
) -> Result<i64, sqlx::Error> {
    let (mut low, mut high) = (1, head + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        match office_store::find_time(db, id, middle).await? {
            Some(at) if at < time => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// A transfer with its place in the hash chain and everything related to it.
pub(super) struct TransferDetails {
    pub(super) row: TransferRow,
    pub(super) merchant_id: Uuid,
    pub(super) head: (i64, Vec<u8>),
    /// The hash of the previous row in the chain.
    pub(super) previous: Vec<u8>,
    /// Whether the row's hash matches its content and the previous hash.
    pub(super) is_hash_valid: bool,
    pub(super) reversed_by: Option<i64>,
    /// The other transfers of the same posting: same reference, same time.
    pub(super) related: Vec<TransferRow>,
    pub(super) approval: Option<Facts>,
    pub(super) hold: Option<HoldRow>,
}

/// Finds a transfer with its previous row, its reversal and the record that it was for.
pub(super) async fn find_details(
    db: &mut PgConnection,
    id: Uuid,
    seq: i64,
) -> Result<TransferDetails, ApiError> {
    let unknown = || ApiError::new(codes::UNKNOWN_TRANSFER);
    let accounts = office_store::find_accounts(db, id).await?;
    let accounts = accounts.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    if !(1..=accounts.seq).contains(&seq) {
        return Err(unknown());
    }
    // Reads the previous row too; the first row has none.
    let mut rows = record::list_after(db, id, (seq - 2).max(0), seq.min(2)).await?;
    let row = rows.pop_if(|row| row.seq == seq).ok_or_else(unknown)?;
    let previous = rows.pop().map_or(chain::START.to_vec(), |before| before.hash);
    let start: [u8; 32] = previous.as_slice().try_into().map_err(ApiError::internal)?;
    let is_hash_valid = row.entry(accounts.merchant_id).hash(&start).as_slice() == row.hash;
    let related = office_store::list_for_reference(db, id, row.reference, row.at).await?;
    Ok(TransferDetails {
        merchant_id: accounts.merchant_id,
        head: (accounts.seq, accounts.hash),
        previous,
        is_hash_valid,
        reversed_by: office_store::find_reversal(db, id, seq).await?,
        related: related.into_iter().filter(|other| other.seq != seq).collect(),
        approval: match row.kind.as_str() {
            "correction" => staff::find_facts(db, row.reference).await?,
            _ => None,
        },
        hold: match [row.debit.as_str(), row.credit.as_str()].contains(&"held") {
            true => office_store::find_hold(db, id, row.reference).await?,
            false => None,
        },
        row,
    })
}

/// A member's transfers for one record at one time, for example stake and payout of a round.
pub async fn list_transfers_for_reference(
    db: &mut PgConnection,
    member_id: Uuid,
    reference: Uuid,
    at: DateTime<Utc>,
) -> Result<Vec<TransferView>, sqlx::Error> {
    let rows = office_store::list_for_reference(db, member_id, reference, at).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Office search: finds a transfer by member id and sequence number, typed as `MEMBER:NUMBER`.
pub(super) async fn find(
    app: &Wallet,
    person: &StaffSession,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    let typed = text.split_once([':', '#']).filter(|_| person.may(WalletRead::RIGHT));
    let Some((id, seq)) = typed else { return Ok(Vec::new()) };
    let (Ok(id), Ok(seq)) = (id.trim().parse::<Uuid>(), seq.trim().parse::<i64>()) else {
        return Ok(Vec::new());
    };
    let mut db = app.db.acquire().await?;
    let rows = record::list_after(&mut db, id, seq.saturating_sub(1), 1).await?;
    let found = rows.into_iter().find(|row| row.seq == seq).map(|row| {
        let more = format!("{} {}", Amount::from_units(row.amount), row.currency);
        FoundThing { seq: Some(seq), ..FoundThing::new("transfer", id, seq.to_string(), more) }
    });
    Ok(found.into_iter().collect())
}
