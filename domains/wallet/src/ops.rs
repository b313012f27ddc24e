//! Use cases of the ledger: post, hold, capture, release, reverse, send, escrows. Each runs in the
//! caller's transaction.

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::locked::Locked;
use super::model::{Account, HandlerCursor, House, Key, PostError, Posted, Posting, Transfer};
use super::reasons::Reason;
use super::record::{self, TransferRow};
use super::store::{self, NewEscrow};
use members::NewMember;
use platform::Core;
use platform::error::ApiError;

/// Creates the wallet of a new member, in the transaction that registers the member.
pub fn on_registered<'a>(
    _: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    member: &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let profile = &member.profile;
        let holder = (profile.id, "member");
        store::insert_holder(tx, holder, profile.merchant_id, profile.currency).await?;
        Ok(())
    })
}

/// The handler cursor stored for a holder.
pub async fn find_cursor(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<HandlerCursor>, sqlx::Error> {
    store::find_cursor(db, holder_id).await
}

/// The handler cursors stored for several holders.
pub async fn list_cursors(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, HandlerCursor)>, sqlx::Error> {
    store::list_cursors(db, ids).await
}

/// Stores a handler cursor for a holder. Call it while the holder's row is locked, or in the
/// transaction that creates the holder.
pub async fn set_cursor(
    tx: &mut PgTransaction<'_>,
    holder_id: Uuid,
    cursor: HandlerCursor,
) -> Result<(), sqlx::Error> {
    store::update_cursor(tx, holder_id, cursor).await
}

/// Posts in the caller's transaction: all of the postings or none. A posting whose key was used
/// before with the same body is not posted again. A refusal writes nothing.
pub async fn post_in(
    tx: &mut PgTransaction<'_>,
    postings: Vec<Posting>,
    now: DateTime<Utc>,
) -> Result<Vec<Posted>, PostError> {
    let ids: Vec<_> = postings.iter().map(|posting| posting.holder_id).collect();
    let locked = Locked::lock(tx, &ids).await?;
    post_locked(tx, locked, postings, now).await
}

/// Like [`post_in`], for holders whose rows are locked already.
pub async fn post_locked(
    tx: &mut PgTransaction<'_>,
    mut locked: Locked,
    postings: Vec<Posting>,
    now: DateTime<Utc>,
) -> Result<Vec<Posted>, PostError> {
    let keys = postings.iter().map(|posting| (posting.holder_id, posting.key.text.clone()));
    let known = locked.find_posted(tx, keys.collect()).await?;
    let mut all = Vec::with_capacity(postings.len());
    for posting in postings {
        all.push(match known.find(posting.holder_id, &posting.key)? {
            Some(posted) => posted,
            None => locked.decide(posting, now)?,
        });
    }
    locked.write(tx).await?;
    Ok(all)
}

/// Identifies a hold: reserved money of a member, under an id of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// The holder whose money is reserved.
    pub holder_id: Uuid,
    /// The id of the record that needs the hold, a withdrawal for example.
    pub id: Uuid,
}

impl Hold {
    fn posting(self, key: Key, transfers: Vec<Transfer>) -> Posting {
        Posting { holder_id: self.holder_id, key, reference: self.id, transfers }
    }

    fn pair(self) -> (Uuid, Uuid) {
        (self.holder_id, self.id)
    }
}

/// Opens a hold: moves money from the main account to the held account.
pub async fn hold(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    amount: Amount,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    let transfer = Transfer::new(Account::Main, Account::Held, amount, Reason::Hold);
    let posted = post_one(tx, hold.posting(key, vec![transfer]), now).await?;
    if !posted.is_replay {
        store::insert_hold(tx, hold.pair(), amount.units()).await?;
    }
    Ok(posted)
}

/// Captures all or part of a hold for a house account, and releases the remainder.
pub async fn capture(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    (amount, to, reason): (Amount, House, Reason),
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    let captured = Transfer::new(Account::Held, Account::House(to), amount, reason);
    end_hold(tx, hold, Some(captured), key, now).await
}

/// Releases a hold: all of its money returns to the main account.
pub async fn release(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    end_hold(tx, hold, None, key, now).await
}

/// Ends a hold. A hold ends once; the part that is not captured is released.
async fn end_hold(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    captured: Option<Transfer>,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    let locked = Locked::lock(tx, &[hold.holder_id]).await?;
    let keys = vec![(hold.holder_id, key.text.clone())];
    if let Some(posted) = locked.find_posted(tx, keys).await?.find(hold.holder_id, &key)? {
        return Ok(posted);
    }
    let ended = PostError::Impossible("the hold is not open");
    let amount = store::find_open_hold(tx, hold.pair()).await?.ok_or(ended)?;
    let captured_units = captured.as_ref().map_or(0, |captured| captured.amount.units());
    let remainder = amount.checked_sub(captured_units).filter(|remainder| *remainder >= 0);
    let remainder = remainder.ok_or(PostError::Impossible("more than the amount of the hold"))?;
    let remainder = Amount::from_units(remainder);
    let released = Transfer::new(Account::Held, Account::Main, remainder, Reason::Release);
    let both = captured.into_iter().chain([released]);
    let transfers = both.filter(|transfer| transfer.amount.is_positive()).collect();
    store::update_hold_ended(tx, hold.pair(), captured_units).await?;
    first(post_locked(tx, locked, vec![hold.posting(key, transfers)], now).await?)
}

/// Reverses a transfer with a new transfer that refers to it. A transfer can be reversed once, and
/// a reversal cannot be reversed.
pub async fn reverse(
    tx: &mut PgTransaction<'_>,
    (holder_id, seq): (Uuid, i64),
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    let locked = Locked::lock(tx, &[holder_id]).await?;
    let keys = vec![(holder_id, key.text.clone())];
    if let Some(posted) = locked.find_posted(tx, keys).await?.find(holder_id, &key)? {
        return Ok(posted);
    }
    let rows = record::list_after(tx, holder_id, seq.saturating_sub(1), 1).await?;
    let row = rows.into_iter().find(|row| row.seq == seq && row.reverses.is_none());
    let row = row.ok_or(PostError::Impossible("there is no such transfer to reverse"))?;
    if record::is_reversed(tx, holder_id, seq).await? {
        return Err(PostError::Impossible("the transfer was reversed already"));
    }
    let transfer = reversal_of(&row)?;
    let posting = Posting { holder_id, key, reference: row.reference, transfers: vec![transfer] };
    first(post_locked(tx, locked, vec![posting], now).await?)
}

/// The transfer that reverses another. Transfers on the held and transit accounts are refused: each
/// is one half of a pair, and the other half would stay. Release the hold or send the money back.
fn reversal_of(row: &TransferRow) -> Result<Transfer, PostError> {
    let unknown = || PostError::Impossible("the account is unknown");
    let debit = Account::parse(&row.credit).ok_or_else(unknown)?;
    let credit = Account::parse(&row.debit).ok_or_else(unknown)?;
    let is_half =
        |account: &Account| matches!(account, Account::Held | Account::House(House::Transit));
    if is_half(&debit) || is_half(&credit) {
        return Err(PostError::Impossible("one half of a hold or a transfer cannot be reversed"));
    }
    let amount = Amount::from_units(row.amount);
    Ok(Transfer { debit, credit, amount, reason: Reason::Reversal, reverses: Some(row.seq) })
}

/// A transfer of money from one holder to another.
#[derive(Clone, Copy, Debug)]
pub struct MemberTransfer {
    /// The sender.
    pub from: Uuid,
    /// The receiver.
    pub to: Uuid,
    /// The amount.
    pub amount: Amount,
    /// The id of the record that causes it.
    pub reference: Uuid,
}

/// Sends money from one holder to another.
pub async fn send(
    tx: &mut PgTransaction<'_>,
    transfer: MemberTransfer,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    transfer_between(tx, transfer, (Reason::Send, Reason::Receive), key, now).await
}

/// Moves money from one holder to another through the merchant's transit account: one transfer in
/// each holder's chain, both in one transaction.
async fn transfer_between(
    tx: &mut PgTransaction<'_>,
    MemberTransfer { from, to, amount, reference }: MemberTransfer,
    (out, into): (Reason, Reason),
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    if from == to {
        return Err(PostError::Impossible("sender and receiver are the same holder"));
    }
    let locked = Locked::lock(tx, &[from, to]).await?;
    if !locked.is_same_merchant_and_currency(from, to) {
        return Err(PostError::Impossible("the holders differ in merchant or currency"));
    }
    if store::has_closed(tx, &[from, to]).await? {
        // A repeated key still gets its first answer after the escrow was closed.
        let known = locked.find_posted(tx, vec![(from, key.text.clone())]).await?;
        let closed = PostError::Impossible("the escrow is closed");
        return known.find(from, &key)?.ok_or(closed);
    }
    let transit = || Account::House(House::Transit);
    let posting =
        |holder_id, key, transfer| Posting { holder_id, key, reference, transfers: vec![transfer] };
    // The receiver's key is derived from the sender and the sender's key.
    let receive_key = Key { text: format!("capiz:from:{from}:{}", key.text), ..key.clone() };
    let send = posting(from, key, Transfer::new(Account::Main, transit(), amount, out));
    let receive = posting(to, receive_key, Transfer::new(transit(), Account::Main, amount, into));
    first(post_locked(tx, locked, vec![send, receive], now).await?)
}

/// An escrow: a holder of its own that keeps money for a purpose, such as one generation of a pool
/// or a contract.
#[derive(Clone, Copy, Debug)]
pub struct Escrow<'a> {
    /// The escrow's holder id.
    pub id: Uuid,
    /// The pool that it belongs to.
    pub pool_id: Uuid,
    /// The generation of the pool; each hit pays out one generation.
    pub generation: i64,
    /// What the escrow is for, in words.
    pub purpose: &'a str,
}

/// Opens an escrow. A unique constraint makes sure that a generation of a pool exists once.
pub async fn open_escrow(
    tx: &mut PgTransaction<'_>,
    escrow: Escrow<'_>,
    (merchant_id, currency): (Uuid, Currency),
    now: DateTime<Utc>,
) -> Result<(), PostError> {
    let Escrow { id, pool_id, generation, purpose } = escrow;
    store::insert_holder(tx, (id, "escrow"), merchant_id, currency).await?;
    let new = NewEscrow { holder_id: id, pool_id, generation, purpose };
    store::insert_escrow(tx, &new, now).await?;
    Ok(())
}

/// Pays from a member into an escrow.
pub async fn pay_in(
    tx: &mut PgTransaction<'_>,
    transfer: MemberTransfer,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    transfer_between(tx, transfer, (Reason::PoolIn, Reason::Receive), key, now).await
}

/// Pays from an escrow to a member.
pub async fn pay_out(
    tx: &mut PgTransaction<'_>,
    transfer: MemberTransfer,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    transfer_between(tx, transfer, (Reason::Send, Reason::PoolOut), key, now).await
}

/// Pays a jackpot from its escrow to the winner.
pub async fn pay_jackpot(
    tx: &mut PgTransaction<'_>,
    transfer: MemberTransfer,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    transfer_between(tx, transfer, (Reason::Send, Reason::Jackpot), key, now).await
}

/// Closes an empty escrow for ever.
pub async fn close_escrow(
    tx: &mut PgTransaction<'_>,
    escrow_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), PostError> {
    let locked = Locked::lock(tx, &[escrow_id]).await?;
    let (balance, _) = locked.balance(escrow_id).ok_or(PostError::NoHolder)?;
    if balance != Amount::ZERO {
        return Err(PostError::Impossible("the escrow is not empty"));
    }
    match store::update_escrow_closed(tx, escrow_id, now).await? {
        0 => Err(PostError::Impossible("the escrow is closed")),
        _ => Ok(()),
    }
}

/// The sum that was paid into the escrows of a pool for one reason, over all generations.
pub async fn sum_into_pool(
    db: &mut PgConnection,
    pool_id: Uuid,
    reason: Reason,
) -> Result<i64, sqlx::Error> {
    store::sum_into_pool(db, pool_id, reason).await
}

/// Like [`post_in`], for a single posting.
pub async fn post_one(
    tx: &mut PgTransaction<'_>,
    posting: Posting,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    first(post_in(tx, vec![posting], now).await?)
}

fn first(all: Vec<Posted>) -> Result<Posted, PostError> {
    all.into_iter().next().ok_or(PostError::Impossible("nothing to post"))
}

/// A holder's main balance with its version.
pub async fn find_balance(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<(Amount, i64)>, sqlx::Error> {
    let found = store::find_balance(db, holder_id).await?;
    Ok(found.map(|(units, version)| (Amount::from_units(units), version)))
}
