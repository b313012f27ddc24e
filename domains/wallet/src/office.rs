//! What the office sees of a member's money, and what the wallet does when an account is frozen.
//!
//! A record may be a million rows long, and what is looked for in it rare. So a page looks through
//! a bounded stretch of it and says where it stopped; times are first turned into sequence numbers
//! by halving.

use capiz_rules::chain;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Duration, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::http::TransferView;
use super::locked::Locked;
use super::office_store::{self, AccountsRow, Filter, HoldRow, Stretch};
use super::record::{self, TransferRow};
use super::store;
use crate::Wallet;
use crate::codes;
use crate::rights::WalletRead;
use members::{MemberState, StateChange};
use platform::Core;
use platform::error::ApiError;
use staff::Facts;
use staff::{Asked as _, FoundThing, OnDuty};

/// How many rows of a record a page looks through.
pub(super) const STRETCH: i64 = 20_000;
/// Nodes' clocks may differ by less than this: times follow sequence numbers but for that.
const SLACK: Duration = Duration::minutes(5);
/// Open holds that are shown.
const HOLDS: i64 = 100;

/// The account of a member is frozen, opened again or closed: its own orders are refused under the
/// lock that decides them, and a closed one is empty.
pub fn on_state_changed<'a>(
    _: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    change: &'a StateChange,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let id = change.member_id;
        let locked = Locked::lock(tx, &[id]).await?;
        let is_closed = change.state == MemberState::Closed;
        // Demo money is owed by nobody.
        let is_demo = locked.currency(id) == Some(Currency::Fun);
        if is_closed && !is_demo && !locked.is_empty(id) {
            return Err(ApiError::new(members::codes::HAS_MONEY));
        }
        let is_frozen = change.state != MemberState::Active;
        office_store::update_standing(tx, id, (is_frozen, is_closed)).await?;
        Ok(())
    })
}

/// A member's accounts and what is set aside.
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

/// A page of a record, and where the next one goes on.
pub(super) struct Looked {
    pub(super) rows: Vec<TransferRow>,
    pub(super) next: Option<i64>,
}

/// Looks through a record from a sequence number downwards.
pub(super) async fn look_through(
    db: &mut PgConnection,
    id: Uuid,
    filter: &Filter,
    (before, limit): (Option<i64>, i64),
) -> Result<Looked, ApiError> {
    let head = record::find_head(db, id).await?;
    let head = head.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?.seq;
    let mut below = before.unwrap_or(i64::MAX).min(head + 1);
    let mut bottom = 0;
    if let Some(until) = filter.until {
        below = below.min(first_since(db, id, head, until + SLACK).await?);
    }
    if let Some(from) = filter.from {
        bottom = first_since(db, id, head, from - SLACK).await? - 1;
    }
    let above = bottom.max(below - 1 - STRETCH);
    let stretch = Stretch { holder_id: id, above, below };
    let rows = office_store::list_wanted(db, stretch, filter, limit).await?;
    let is_full = i64::try_from(rows.len()) == Ok(limit);
    let stopped = match rows.last().filter(|_| is_full) {
        Some(last) => last.seq,
        None => above + 1,
    };
    Ok(Looked { rows, next: Some(stopped).filter(|seq| *seq > bottom + 1) })
}

/// The first sequence number of a time, or of after it. Numbers have no gap and rise with time.
async fn first_since(
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

/// A transfer with everything that leads on from it.
pub(super) struct Followed {
    pub(super) row: TransferRow,
    pub(super) merchant_id: Uuid,
    pub(super) head: (i64, Vec<u8>),
    /// The hash of the row before.
    pub(super) previous: Vec<u8>,
    /// Whether the row's hash follows from the one before and from what the row says.
    pub(super) holds: bool,
    pub(super) undone_by: Option<i64>,
    /// What else was moved at the same moment for the same record.
    pub(super) beside: Vec<TransferRow>,
    pub(super) approval: Option<Facts>,
    pub(super) hold: Option<HoldRow>,
}

/// Follows a transfer: to the row before, to what undoes it, to what it was for.
pub(super) async fn follow(
    db: &mut PgConnection,
    id: Uuid,
    seq: i64,
) -> Result<Followed, ApiError> {
    let unknown = || ApiError::new(codes::UNKNOWN_TRANSFER);
    let accounts = office_store::find_accounts(db, id).await?;
    let accounts = accounts.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    if !(1..=accounts.seq).contains(&seq) {
        return Err(unknown());
    }
    // The row before comes along; before the first there is none.
    let mut rows = record::list_after(db, id, (seq - 2).max(0), seq.min(2)).await?;
    let row = rows.pop_if(|row| row.seq == seq).ok_or_else(unknown)?;
    let previous = rows.pop().map_or(chain::START.to_vec(), |before| before.hash);
    let start: [u8; 32] = previous.as_slice().try_into().map_err(ApiError::internal)?;
    let holds = row.entry(accounts.merchant_id).hash(&start).as_slice() == row.hash;
    let beside = office_store::list_of_moment(db, id, row.reference, row.at).await?;
    Ok(Followed {
        merchant_id: accounts.merchant_id,
        head: (accounts.seq, accounts.hash),
        previous,
        holds,
        undone_by: office_store::find_undoing(db, id, seq).await?,
        beside: beside.into_iter().filter(|other| other.seq != seq).collect(),
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

/// What was moved for a record of a member at one moment: stake and payout of a round, for example.
pub async fn list_of_moment(
    db: &mut PgConnection,
    member_id: Uuid,
    reference: Uuid,
    at: DateTime<Utc>,
) -> Result<Vec<TransferView>, sqlx::Error> {
    let rows = office_store::list_of_moment(db, member_id, reference, at).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// A transfer as somebody types it: its member and its number, `MEMBER:NUMBER`.
pub(super) async fn find(
    app: &Wallet,
    person: &OnDuty,
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
