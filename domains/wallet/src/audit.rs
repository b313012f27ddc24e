//! The audit: whether the ledger is what it must be, read from the tables alone.

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

/// How many holders are checked at a time.
const CHUNK: i64 = 200;

/// The first thing found wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("holder {holder_id}: {what}")]
pub struct Offence {
    /// Whose chain it is in.
    pub holder_id: Uuid,
    /// What is wrong, as a sentence.
    pub what: String,
}

impl Offence {
    /// Something wrong with a holder.
    pub fn new(holder_id: Uuid, what: impl Into<String>) -> Self {
        Self { holder_id, what: what.into() }
    }
}

/// Why an audit did not end well.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// An invariant does not hold.
    #[error(transparent)]
    Offence(#[from] Offence),
    /// The house's accounts do not add up.
    #[error(
        "merchant {merchant_id}: {account} is {balance} ten-thousandths of {currency} and must be 0"
    )]
    House {
        /// Whose accounts.
        merchant_id: Uuid,
        /// Which account.
        account: String,
        /// In which currency.
        currency: String,
        /// What is on it.
        balance: i128,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// Holders.
    pub holders: u64,
    /// Transfers.
    pub transfers: u64,
}

/// What the transfers say that a round of our games moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundMoney {
    /// What was staked, in ten-thousandths.
    pub stake: i64,
    /// What was paid.
    pub payout: i64,
    /// In which currency.
    pub currency: String,
}

/// The money of rounds by member and round.
pub type RoundsMoney = HashMap<(Uuid, Uuid), RoundMoney>;

/// Another domain's part of the audit: holds its records of some members against the money.
pub type Witness = for<'a> fn(
    &'a mut PgConnection,
    &'a [Uuid],
    &'a RoundsMoney,
) -> BoxFuture<'a, Result<(), AuditError>>;

/// Replays every holder's chain in one snapshot: hashes link, sequence numbers have no gap,
/// balances follow from transfers and never fall below zero, cached heads and balances agree,
/// each reason moves money only where it may, holds add up, closed escrows are empty, and
/// nothing moved that belongs to nobody. What is in transit adds up to nothing.
pub async fn audit(pool: &PgPool, witness: Witness) -> Result<Audited, AuditError> {
    let mut tx = pool.begin().await?;
    db::see_one_moment(&mut tx).await?;
    let mut sums = Sums::default();
    let mut audited = Audited::default();
    let mut after = Uuid::nil();
    loop {
        let holders = list_holders(&mut tx, after).await?;
        let last = holders.keys().next_back().copied();
        let mut chunk = Chunk::new(holders);
        chunk.replay(&mut tx, after, last.unwrap_or(Uuid::max())).await?;
        audited.transfers += chunk.transfers;
        chunk.compare(&mut tx).await?;
        let ids: Vec<_> = chunk.holders.keys().copied().collect();
        witness(&mut tx, &ids, &chunk.rounds).await?;
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

/// A holder as its rows say, but for its transfers.
struct Stated {
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
) -> Result<BTreeMap<Uuid, Stated>, sqlx::Error> {
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
        let stated = Stated {
            merchant_id: row.merchant_id,
            is_escrow: row.kind == "escrow",
            currency: row.currency,
            seq: row.seq,
            hash: row.hash,
            balances: balances.map(|(name, balance)| (name.to_owned(), balance)).collect(),
            has_vendors: row.has_vendors,
        };
        (row.holder_id, stated)
    });
    let mut holders: BTreeMap<_, _> = holders.collect();
    let ids: Vec<_> = holders.keys().copied().collect();
    for (id, vendor, balance) in store::list_vendors(db, &ids).await? {
        if let Some(stated) = holders.get_mut(&id) {
            stated.balances.insert(format!("vendor:{}", vendor.name()), balance);
        }
    }
    Ok(holders)
}

/// Where a holder's transfers lead.
struct End {
    seq: i64,
    hash: [u8; 32],
    balances: BTreeMap<String, i64>,
}

impl Default for End {
    fn default() -> Self {
        Self { seq: 0, hash: chain::START, balances: BTreeMap::new() }
    }
}

/// Some holders that are checked together.
struct Chunk {
    holders: BTreeMap<Uuid, Stated>,
    ends: BTreeMap<Uuid, End>,
    rounds: RoundsMoney,
    house: HouseSums,
    transfers: u64,
}

/// By merchant, account and currency.
type HouseSums = HashMap<(Uuid, String, String), i128>;

impl Chunk {
    fn new(holders: BTreeMap<Uuid, Stated>) -> Self {
        let (ends, rounds, house) = (BTreeMap::new(), HashMap::new(), HashMap::new());
        Self { holders, ends, rounds, house, transfers: 0 }
    }

    /// Follows all transfers of the range, those of unknown holders included.
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
            self.follow(&row)?;
        }
        Ok(())
    }

    fn follow(&mut self, row: &TransferRow) -> Result<(), Offence> {
        let unknown = || Offence::new(row.holder_id, "there is no holder for its transfers");
        let stated = self.holders.get(&row.holder_id).ok_or_else(unknown)?;
        let end = self.ends.entry(row.holder_id).or_default();
        check_row(end, stated, row)?;
        let sides = [(&row.debit, -i128::from(row.amount)), (&row.credit, i128::from(row.amount))];
        for (account, amount) in sides {
            let name = if account.starts_with("house:") { account } else { HOLDERS };
            let key = (stated.merchant_id, name.to_owned(), row.currency.clone());
            *self.house.entry(key).or_default() += amount;
        }
        self.note_round(row);
        Ok(())
    }

    /// Adds a transfer of our own games to its round.
    fn note_round(&mut self, row: &TransferRow) {
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

    /// Holds what the rows state against what the transfers say.
    async fn compare(&mut self, db: &mut PgConnection) -> Result<(), AuditError> {
        for (id, stated) in &self.holders {
            let end = self.ends.remove(id).unwrap_or_default();
            check_end(*id, stated, &end)?;
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
        for (id, stated) in &self.holders {
            if stated.balances.get("held").copied() != Some(open.get(id).copied().unwrap_or(0)) {
                return Err(
                    Offence::new(*id, "the open holds do not add up to what is held").into()
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
        for (id, stated) in &self.holders {
            let closed = escrows.get(id);
            if closed.is_some() != stated.is_escrow {
                return Err(Offence::new(*id, "it is not the kind of holder it says").into());
            }
            if closed == Some(&true) && stated.balances.values().any(|balance| *balance != 0) {
                return Err(Offence::new(*id, "a closed escrow is not empty").into());
            }
        }
        Ok(())
    }
}

/// Stands for all accounts of holders in the sums.
const HOLDERS: &str = "holders";

fn check_row(end: &mut End, stated: &Stated, row: &TransferRow) -> Result<(), Offence> {
    let wrong = |what: &str| Offence::new(row.holder_id, format!("transfer {}: {what}", row.seq));
    if row.seq != end.seq + 1 {
        return Err(wrong("the sequence has a gap before it"));
    }
    let hash = row.entry(stated.merchant_id).hash(&end.hash);
    if hash.as_slice() != row.hash {
        return Err(wrong("its hash does not follow from its content and the one before"));
    }
    let parsed =
        (Reason::parse(&row.kind), Account::parse(&row.debit), Account::parse(&row.credit));
    let (Some(reason), Some(debit), Some(credit)) = parsed else {
        return Err(wrong("its reason or accounts are not known"));
    };
    if !reason.allows(&debit, &credit) {
        return Err(wrong("its reason does not move money between these accounts"));
    }
    let is_points = debit == Account::Points || credit == Account::Points;
    if row.currency != if is_points { "PTS" } else { stated.currency.as_str() } {
        return Err(wrong("it is in a currency that is not the holder's"));
    }
    let sides =
        [(&row.debit, row.debit_after, -row.amount), (&row.credit, row.credit_after, row.amount)];
    for (account, after, amount) in sides {
        let Some(after) = after else { continue };
        let balance = end.balances.entry(account.clone()).or_default();
        if balance.checked_add(amount) != Some(after) || after < 0 {
            return Err(wrong("the balance after it does not follow"));
        }
        *balance = after;
    }
    end.seq = row.seq;
    end.hash = hash;
    Ok(())
}

fn check_end(id: Uuid, stated: &Stated, end: &End) -> Result<(), Offence> {
    if (stated.seq, stated.hash.as_slice()) != (end.seq, end.hash.as_slice()) {
        return Err(Offence::new(id, "the cached head differs from the transfers"));
    }
    let is_known = end.balances.keys().all(|account| stated.balances.contains_key(account));
    let is_equal = stated
        .balances
        .iter()
        .all(|(account, balance)| *balance == end.balances.get(account).copied().unwrap_or(0));
    if !is_known || !is_equal {
        return Err(Offence::new(id, "a cached balance differs from the transfers"));
    }
    let has_vendors = end.balances.keys().any(|account| account.starts_with("vendor:"));
    if has_vendors != stated.has_vendors {
        return Err(Offence::new(id, "its wallets at vendors are not as its row says"));
    }
    Ok(())
}

/// What all transfers add up to.
#[derive(Default)]
struct Sums(HouseSums);

impl Sums {
    fn add(&mut self, house: HouseSums) {
        for (key, amount) in house {
            *self.0.entry(key).or_default() += amount;
        }
    }

    /// Every currency adds up to nothing over holders and house, and so does what is in transit.
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
