//! The audit of the ledger: replays all transfers and checks every invariant from the tables alone.

use std::collections::{BTreeMap, HashMap};

use capiz_rules::chain;
use futures_util::TryStreamExt;
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{Account, House};
use super::reasons::Reason;
use super::record::TransferRow;
use super::store;
use platform::db;

/// How many holders are checked per chunk.
const CHUNK: i64 = 200;

/// The first broken invariant that an audit finds.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("holder {holder_id}: {what}")]
pub struct Offence {
    /// The holder whose data is wrong.
    pub holder_id: Uuid,
    /// What is wrong, as a sentence.
    pub what: String,
}

impl Offence {
    /// An offence of a holder.
    pub fn new(holder_id: Uuid, what: impl Into<String>) -> Self {
        Self { holder_id, what: what.into() }
    }
}

/// Why an audit failed.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// An invariant does not hold.
    #[error(transparent)]
    Offence(#[from] Offence),
    /// The accounts of a merchant do not add up to zero.
    #[error(
        "merchant {merchant_id}: {account} is {balance} ten-thousandths of {currency} and must be 0"
    )]
    House {
        /// The merchant.
        merchant_id: Uuid,
        /// The account, or the sum of all.
        account: String,
        /// The currency.
        currency: String,
        /// The balance, in ten-thousandths.
        balance: i128,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// How much an audit has checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditTotals {
    /// The number of holders.
    pub holders: u64,
    /// The number of transfers.
    pub transfers: u64,
}

/// Stake and payout of a round of our own games, summed from its transfers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundMoney {
    /// The stake, in ten-thousandths.
    pub stake: i64,
    /// The payout, in ten-thousandths.
    pub payout: i64,
    /// The currency.
    pub currency: String,
}

/// The money of rounds, by member and round id.
pub type RoundsMoney = HashMap<(Uuid, Uuid), RoundMoney>;

/// A check of other domains that takes part in the audit: compares their records of some members
/// with the money that moved.
pub type RecordCheck = for<'a> fn(
    &'a mut PgConnection,
    &'a [Uuid],
    &'a RoundsMoney,
) -> BoxFuture<'a, Result<(), AuditError>>;

/// Replays every holder's chain in one database snapshot and checks that
///
/// - hashes link and sequence numbers have no gaps,
/// - balances follow from the transfers and never fall below zero,
/// - stored chain heads and balances agree with the transfers,
/// - each reason moves money only between the accounts that it allows,
/// - open holds add up to the held balance, and closed escrows are empty,
/// - every transfer has a holder,
/// - all accounts of a merchant and currency add up to zero, and so does the transit account.
pub async fn audit(pool: &PgPool, check_records: RecordCheck) -> Result<AuditTotals, AuditError> {
    let mut tx = pool.begin().await?;
    db::use_snapshot(&mut tx).await?;
    let mut sums = Sums::default();
    let mut audited = AuditTotals::default();
    let mut after = Uuid::nil();
    loop {
        let holders = list_holders(&mut tx, after).await?;
        let last = holders.keys().next_back().copied();
        let mut chunk = Chunk::new(holders);
        chunk.replay(&mut tx, after, last.unwrap_or(Uuid::max())).await?;
        audited.transfers += chunk.transfers;
        chunk.compare(&mut tx).await?;
        let ids: Vec<_> = chunk.holders.keys().copied().collect();
        check_records(&mut tx, &ids, &chunk.rounds).await?;
        audited.holders += u64::try_from(ids.len()).unwrap_or_default();
        sums.add(chunk.house);
        match last {
            Some(last) => after = last,
            None => break,
        }
    }
    sums.check()?;
    Ok(audited)
}

/// A holder's stored row: balances and chain head, to compare with the transfers.
struct StoredHolder {
    merchant_id: Uuid,
    is_escrow: bool,
    currency: String,
    seq: i64,
    hash: Vec<u8>,
    balances: BTreeMap<String, i64>,
    has_vendors: bool,
}

async fn list_holders(
    db: &mut PgConnection,
    after: Uuid,
) -> Result<BTreeMap<Uuid, StoredHolder>, sqlx::Error> {
    let rows = sqlx::query!(
        "select holder_id, merchant_id, kind, currency, seq, hash, main, held, bonus, points,
            has_vendors
         from wallet_holders where holder_id > $1 order by holder_id limit $2",
        after,
        CHUNK,
    )
    .fetch_all(&mut *db)
    .await?;
    let holders = rows.into_iter().map(|row| {
        let balances = [("main", row.main), ("held", row.held), ("bonus", row.bonus)];
        let balances = balances.into_iter().chain([("points", row.points)]);
        let stored = StoredHolder {
            merchant_id: row.merchant_id,
            is_escrow: row.kind == "escrow",
            currency: row.currency,
            seq: row.seq,
            hash: row.hash,
            balances: balances.map(|(name, balance)| (name.to_owned(), balance)).collect(),
            has_vendors: row.has_vendors,
        };
        (row.holder_id, stored)
    });
    let mut holders: BTreeMap<_, _> = holders.collect();
    let ids: Vec<_> = holders.keys().copied().collect();
    for (id, vendor, balance) in store::list_vendors(db, &ids).await? {
        if let Some(stored) = holders.get_mut(&id) {
            stored.balances.insert(format!("vendor:{}", vendor.name()), balance);
        }
    }
    Ok(holders)
}

/// A holder's balances and chain head as they follow from the transfers.
struct ReplayedHolder {
    seq: i64,
    hash: [u8; 32],
    balances: BTreeMap<String, i64>,
}

impl Default for ReplayedHolder {
    fn default() -> Self {
        Self { seq: 0, hash: chain::START, balances: BTreeMap::new() }
    }
}

/// A range of holders that are checked together.
struct Chunk {
    holders: BTreeMap<Uuid, StoredHolder>,
    replayed: BTreeMap<Uuid, ReplayedHolder>,
    rounds: RoundsMoney,
    house: HouseSums,
    transfers: u64,
}

/// Sums by merchant, account and currency.
type HouseSums = HashMap<(Uuid, String, String), i128>;

impl Chunk {
    fn new(holders: BTreeMap<Uuid, StoredHolder>) -> Self {
        let (replayed, rounds, house) = (BTreeMap::new(), HashMap::new(), HashMap::new());
        Self { holders, replayed, rounds, house, transfers: 0 }
    }

    /// Replays all transfers of the range, also those whose holder is missing.
    async fn replay(
        &mut self,
        db: &mut PgConnection,
        after: Uuid,
        last: Uuid,
    ) -> Result<(), AuditError> {
        let mut rows = sqlx::query_as!(
            TransferRow,
            "select holder_id, seq, amount, debit_after, credit_after, at, reverses,
                ref as reference, currency, debit, credit, kind, key, body_hash, hash
             from wallet_transfers where holder_id > $1 and holder_id <= $2
             order by holder_id, seq",
            after,
            last,
        )
        .fetch(db);
        while let Some(row) = rows.try_next().await? {
            self.transfers += 1;
            self.replay_row(&row)?;
        }
        Ok(())
    }

    fn replay_row(&mut self, row: &TransferRow) -> Result<(), Offence> {
        let unknown = || Offence::new(row.holder_id, "there are transfers but no holder row");
        let stored = self.holders.get(&row.holder_id).ok_or_else(unknown)?;
        let replayed = self.replayed.entry(row.holder_id).or_default();
        check_row(replayed, stored, row)?;
        let sides = [(&row.debit, -i128::from(row.amount)), (&row.credit, i128::from(row.amount))];
        for (account, amount) in sides {
            let name = if account.starts_with("house:") { account } else { HOLDERS };
            let key = (stored.merchant_id, name.to_owned(), row.currency.clone());
            *self.house.entry(key).or_default() += amount;
        }
        self.add_to_round(row);
        Ok(())
    }

    /// Adds a transfer of our own games to its round.
    fn add_to_round(&mut self, row: &TransferRow) {
        let is_games = |name| Account::parse(name) == Some(Account::House(House::Games));
        if !is_games(&row.debit) && !is_games(&row.credit) {
            return;
        }
        let round = self.rounds.entry((row.holder_id, row.reference)).or_default();
        round.currency.clone_from(&row.currency);
        match Reason::parse(&row.kind) {
            Some(Reason::Stake) => round.stake += row.amount,
            Some(Reason::Payout) => round.payout += row.amount,
            _ => {}
        }
    }

    /// Compares the stored rows with the replayed transfers.
    async fn compare(&mut self, db: &mut PgConnection) -> Result<(), AuditError> {
        for (id, stored) in &self.holders {
            let replayed = self.replayed.remove(id).unwrap_or_default();
            check_holder(*id, stored, &replayed)?;
        }
        let ids: Vec<_> = self.holders.keys().copied().collect();
        self.check_holds(db, &ids).await?;
        self.check_escrows(db, &ids).await
    }

    async fn check_holds(&self, db: &mut PgConnection, ids: &[Uuid]) -> Result<(), AuditError> {
        let open = sqlx::query!(
            r#"select holder_id, sum(amount)::bigint as "held!" from wallet_holds
             where holder_id = any($1) and captured is null group by holder_id"#,
            ids,
        )
        .fetch_all(db)
        .await?;
        let open: HashMap<_, _> = open.into_iter().map(|row| (row.holder_id, row.held)).collect();
        for (id, stored) in &self.holders {
            if stored.balances.get("held").copied() != Some(open.get(id).copied().unwrap_or(0)) {
                return Err(
                    Offence::new(*id, "the open holds do not add up to the held balance").into()
                );
            }
        }
        Ok(())
    }

    async fn check_escrows(&self, db: &mut PgConnection, ids: &[Uuid]) -> Result<(), AuditError> {
        let rows = sqlx::query!(
            r#"select holder_id, closed_at is not null as "closed!" from wallet_escrows
             where holder_id = any($1)"#,
            ids,
        )
        .fetch_all(db)
        .await?;
        let escrows: HashMap<_, _> =
            rows.into_iter().map(|row| (row.holder_id, row.closed)).collect();
        for (id, stored) in &self.holders {
            let closed = escrows.get(id);
            if closed.is_some() != stored.is_escrow {
                return Err(Offence::new(*id, "its kind disagrees with the escrow table").into());
            }
            if closed == Some(&true) && stored.balances.values().any(|balance| *balance != 0) {
                return Err(Offence::new(*id, "a closed escrow is not empty").into());
            }
        }
        Ok(())
    }
}

/// The key for all accounts of holders together in the sums.
const HOLDERS: &str = "holders";

/// Checks one transfer against the replayed state, and advances the state by it.
fn check_row(
    replayed: &mut ReplayedHolder,
    stored: &StoredHolder,
    row: &TransferRow,
) -> Result<(), Offence> {
    let wrong = |what: &str| Offence::new(row.holder_id, format!("transfer {}: {what}", row.seq));
    if row.seq != replayed.seq + 1 {
        return Err(wrong("the sequence numbers have a gap before it"));
    }
    let hash = row.entry(stored.merchant_id).hash(&replayed.hash);
    if hash.as_slice() != row.hash {
        return Err(wrong("its hash does not match its content and the hash before"));
    }
    let parsed =
        (Reason::parse(&row.kind), Account::parse(&row.debit), Account::parse(&row.credit));
    let (Some(reason), Some(debit), Some(credit)) = parsed else {
        return Err(wrong("its reason or its accounts are unknown"));
    };
    if !reason.allows(&debit, &credit) {
        return Err(wrong("its reason does not allow these accounts"));
    }
    let is_points = debit == Account::Points || credit == Account::Points;
    if row.currency != if is_points { "PTS" } else { stored.currency.as_str() } {
        return Err(wrong("its currency is not the holder's"));
    }
    let sides =
        [(&row.debit, row.debit_after, -row.amount), (&row.credit, row.credit_after, row.amount)];
    for (account, after, amount) in sides {
        let Some(after) = after else { continue };
        let balance = replayed.balances.entry(account.clone()).or_default();
        if balance.checked_add(amount) != Some(after) || after < 0 {
            return Err(wrong("the balance after it does not follow from the balance before"));
        }
        *balance = after;
    }
    replayed.seq = row.seq;
    replayed.hash = hash;
    Ok(())
}

fn check_holder(id: Uuid, stored: &StoredHolder, replayed: &ReplayedHolder) -> Result<(), Offence> {
    if (stored.seq, stored.hash.as_slice()) != (replayed.seq, replayed.hash.as_slice()) {
        return Err(Offence::new(id, "the stored chain head differs from the transfers"));
    }
    let is_known = replayed.balances.keys().all(|account| stored.balances.contains_key(account));
    let is_equal = stored
        .balances
        .iter()
        .all(|(account, balance)| *balance == replayed.balances.get(account).copied().unwrap_or(0));
    if !is_known || !is_equal {
        return Err(Offence::new(id, "a stored balance differs from the transfers"));
    }
    let has_vendors = replayed.balances.keys().any(|account| account.starts_with("vendor:"));
    if has_vendors != stored.has_vendors {
        return Err(Offence::new(id, "its `has_vendors` flag differs from the transfers"));
    }
    Ok(())
}

/// The sums over all transfers.
#[derive(Default)]
struct Sums(HouseSums);

impl Sums {
    fn add(&mut self, house: HouseSums) {
        for (key, amount) in house {
            *self.0.entry(key).or_default() += amount;
        }
    }

    /// Each currency of a merchant must add up to zero over holders and house, and so must the
    /// transit account.
    fn check(self) -> Result<(), AuditError> {
        let mut totals: BTreeMap<(Uuid, String), i128> = BTreeMap::new();
        for ((merchant_id, account, currency), balance) in self.0 {
            *totals.entry((merchant_id, currency.clone())).or_default() += balance;
            let is_transit = Account::parse(&account) == Some(Account::House(House::Transit));
            if is_transit && balance != 0 {
                return Err(AuditError::House { merchant_id, account, currency, balance });
            }
        }
        for ((merchant_id, currency), balance) in totals {
            if balance != 0 {
                let account = "the sum of all accounts".to_owned();
                return Err(AuditError::House { merchant_id, account, currency, balance });
            }
        }
        Ok(())
    }
}
