//! What can be done with money, each on a transaction of the caller.

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::locked::Locked;
use super::model::{Account, House, Key, Mark, PostError, Posted, Posting, Transfer};
use super::reasons::Reason;
use super::record::{self, TransferRow};
use super::store::{self, NewEscrow};
use members::NewMember;
use platform::Core;
use platform::bulk::Way;
use platform::error::ApiError;

/// A new member gets a wallet in the transaction that makes it.
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

/// What a desk remembers of a holder.
pub async fn find_mark(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<Mark>, sqlx::Error> {
    store::find_mark(db, holder_id).await
}

/// What a desk remembers of some holders.
pub async fn list_marks(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Mark)>, sqlx::Error> {
    store::list_marks(db, ids).await
}

/// Has something else remembered of a holder. To be done while it is locked, or before anybody
/// else can know of it.
pub async fn set_mark(
    tx: &mut PgTransaction<'_>,
    holder_id: Uuid,
    mark: Mark,
) -> Result<(), sqlx::Error> {
    store::update_mark(tx, holder_id, mark).await
}

/// Posts in the caller's transaction: all of the postings or none. Those whose key was used
/// before, for the same, are not done again. A refusal leaves the transaction as it was.
pub async fn post_in(
    tx: &mut PgTransaction<'_>,
    postings: Vec<Posting>,
    now: DateTime<Utc>,
) -> Result<Vec<Posted>, PostError> {
    let ids: Vec<_> = postings.iter().map(|posting| posting.holder_id).collect();
    let locked = Locked::lock(tx, &ids).await?;
    post_locked(tx, locked, postings, now).await
}

/// Posts to holders that are locked already.
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
    locked.write(tx, Way::Arrays).await?;
    Ok(all)
}

/// Money of a member that is set aside under an id of the caller.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// Whose.
    pub holder_id: Uuid,
    /// The record that it is for, a withdrawal for example.
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

/// Sets money aside.
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

/// Takes what was set aside, or a part of it; the rest comes back.
pub async fn capture(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    (amount, to, reason): (Amount, House, Reason),
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    let taken = Transfer::new(Account::Held, Account::House(to), amount, reason);
    end_hold(tx, hold, Some(taken), key, now).await
}

/// Gives back what was set aside.
pub async fn release(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    end_hold(tx, hold, None, key, now).await
}

/// Ends a hold, once: what is not taken comes back.
async fn end_hold(
    tx: &mut PgTransaction<'_>,
    hold: Hold,
    taken: Option<Transfer>,
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
    let captured = taken.as_ref().map_or(0, |taken| taken.amount.units());
    let rest = amount.checked_sub(captured).filter(|rest| *rest >= 0);
    let rest = rest.ok_or(PostError::Impossible("more than was set aside"))?;
    let back =
        Transfer::new(Account::Held, Account::Main, Amount::from_units(rest), Reason::Release);
    let both = taken.into_iter().chain([back]);
    let transfers = both.filter(|transfer| transfer.amount.is_positive()).collect();
    store::update_hold_ended(tx, hold.pair(), captured).await?;
    first(post_locked(tx, locked, vec![hold.posting(key, transfers)], now).await?)
}

/// Undoes a transfer by a new one that points to it. A transfer is undone once, and what undoes
/// is not undone.
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
    let row = row.ok_or(PostError::Impossible("there is no such transfer to undo"))?;
    if record::is_reversed(tx, holder_id, seq).await? {
        return Err(PostError::Impossible("the transfer was undone already"));
    }
    let transfer = undoing(&row)?;
    let posting = Posting { holder_id, key, reference: row.reference, transfers: vec![transfer] };
    first(post_locked(tx, locked, vec![posting], now).await?)
}

/// The transfer that undoes another. Holds are released and transits sent back instead: each has
/// a second half that would stay behind.
fn undoing(row: &TransferRow) -> Result<Transfer, PostError> {
    let unknown = || PostError::Impossible("an account that is not known");
    let debit = Account::parse(&row.credit).ok_or_else(unknown)?;
    let credit = Account::parse(&row.debit).ok_or_else(unknown)?;
    let has_half =
        |account: &Account| matches!(account, Account::Held | Account::House(House::Transit));
    if has_half(&debit) || has_half(&credit) {
        return Err(PostError::Impossible("one half of something cannot be undone"));
    }
    let amount = Amount::from_units(row.amount);
    Ok(Transfer { debit, credit, amount, reason: Reason::Reversal, reverses: Some(row.seq) })
}

/// Money on its way from one holder to another.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    /// From whom.
    pub from: Uuid,
    /// To whom.
    pub to: Uuid,
    /// How much.
    pub amount: Amount,
    /// The record that causes it.
    pub reference: Uuid,
}

/// Moves money from one holder to another.
pub async fn send(
    tx: &mut PgTransaction<'_>,
    passage: Passage,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    pass(tx, passage, (Reason::Send, Reason::Receive), key, now).await
}

/// Moves money through the merchant's transit account: two steps, one in the chain of either
/// holder, in one transaction.
async fn pass(
    tx: &mut PgTransaction<'_>,
    Passage { from, to, amount, reference }: Passage,
    (out, into): (Reason, Reason),
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    if from == to {
        return Err(PostError::Impossible("from a holder to itself"));
    }
    let locked = Locked::lock(tx, &[from, to]).await?;
    if !locked.is_one_purse(from, to) {
        return Err(PostError::Impossible("between merchants or currencies"));
    }
    if store::has_closed(tx, &[from, to]).await? {
        // What was done before the escrow was closed stays done.
        let known = locked.find_posted(tx, vec![(from, key.text.clone())]).await?;
        let closed = PostError::Impossible("the escrow is closed");
        return known.find(from, &key)?.ok_or(closed);
    }
    let transit = || Account::House(House::Transit);
    let posting =
        |holder_id, key, transfer| Posting { holder_id, key, reference, transfers: vec![transfer] };
    // The other side's key is ours and leads back to the sender's.
    let arrival = Key { text: format!("capiz:from:{from}:{}", key.text), ..key.clone() };
    let leaves = posting(from, key, Transfer::new(Account::Main, transit(), amount, out));
    let arrives = posting(to, arrival, Transfer::new(transit(), Account::Main, amount, into));
    first(post_locked(tx, locked, vec![leaves, arrives], now).await?)
}

/// A generation of a pool, or a contract: an account of its own that keeps money for a purpose.
#[derive(Clone, Copy, Debug)]
pub struct Escrow<'a> {
    /// The id of its account.
    pub id: Uuid,
    /// The pool.
    pub pool_id: Uuid,
    /// Which generation of the pool; one hit takes one.
    pub generation: i64,
    /// What it is for, for people.
    pub purpose: &'a str,
}

/// Opens an escrow. A generation of a pool exists once.
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
    passage: Passage,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    pass(tx, passage, (Reason::PoolIn, Reason::Receive), key, now).await
}

/// Pays from an escrow to a member.
pub async fn pay_out(
    tx: &mut PgTransaction<'_>,
    passage: Passage,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    pass(tx, passage, (Reason::Send, Reason::PoolOut), key, now).await
}

/// Pays a jackpot to who has won it.
pub async fn pay_jackpot(
    tx: &mut PgTransaction<'_>,
    passage: Passage,
    key: Key,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    pass(tx, passage, (Reason::Send, Reason::Jackpot), key, now).await
}

/// Closes an escrow that is empty, for ever.
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

/// What has gone into the escrows of a pool for a reason, in all its generations.
pub async fn sum_into_pool(
    db: &mut PgConnection,
    pool_id: Uuid,
    reason: Reason,
) -> Result<i64, sqlx::Error> {
    store::sum_into_pool(db, pool_id, reason).await
}

/// Posts one posting in the caller's transaction.
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

/// A holder's main account with its version.
pub async fn find_balance(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<(Amount, i64)>, sqlx::Error> {
    let found = store::find_balance(db, holder_id).await?;
    Ok(found.map(|(units, version)| (Amount::from_units(units), version)))
}
