//! The daily proof of liabilities: a Merkle sum tree over all balances, whose root is published.
//!
//! The salt of a leaf is an HMAC of the day and the holder with a key derived from the root key. It
//! need not be stored, and it prevents guessing balances from the published hashes.

use std::collections::BTreeMap;

use capiz_rules::merkle::{self, Leaf, NODE_SIZE, Node, Step, Tree};
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, NaiveDate, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::store::parse_currency;
use platform::secret::RootKey;

/// How many tree nodes one row stores.
const CHUNK: usize = 1_024;
/// How many leaves one statement inserts.
const LEAVES_PER_INSERT: usize = 5_000;

/// Computes the salts of leaves.
#[derive(Clone)]
pub struct Prover {
    mac: Hmac<Sha256>,
}

impl Prover {
    /// Derives the prover's key from the root key of the installation.
    pub fn new(root: &RootKey) -> Self {
        let key = root.derive("wallet/proofs");
        Self { mac: Hmac::new_from_slice(&key).expect("HMAC accepts keys of any length") }
    }

    fn salt(&self, day: NaiveDate, holder_id: Uuid) -> [u8; 32] {
        let mut mac = self.mac.clone();
        mac.update(day.to_string().as_bytes());
        mac.update(holder_id.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn leaf(&self, day: NaiveDate, holder_id: Uuid, balance: i64) -> Leaf {
        Leaf { salt: self.salt(day, holder_id), holder: holder_id.into_bytes(), balance }
    }
}

/// Why a proof could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The tree could not be built.
    #[error(transparent)]
    Tree(#[from] merkle::MerkleError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Publishes what a merchant owes under a day, once; returns whether this call did it. All
/// currencies of real money, points and the house accounts are read in one snapshot, so together
/// they add up to zero.
pub async fn publish_proofs(
    db: &PgPool,
    prover: &Prover,
    merchant: (Uuid, Currency),
    day: NaiveDate,
    now: DateTime<Utc>,
) -> Result<bool, ProofError> {
    if is_published(db, merchant.0, day).await? {
        return Ok(false);
    }
    match publish(db, prover, merchant, day, now).await {
        Ok(()) => Ok(true),
        // Another node published it first.
        Err(ProofError::Database(sqlx::Error::Database(error))) if error.is_unique_violation() => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

async fn publish(
    db: &PgPool,
    prover: &Prover,
    (merchant_id, main): (Uuid, Currency),
    day: NaiveDate,
    now: DateTime<Utc>,
) -> Result<(), ProofError> {
    let mut tx = db.begin().await?;
    sqlx::query("set transaction isolation level repeatable read").execute(&mut *tx).await?;
    let mut balances = list_balances(&mut tx, merchant_id).await?;
    // A day without members is published too, so that members who join later are not added to it.
    balances.entry(main).or_default();
    for (currency, balances) in balances {
        let key = TreeKey { merchant_id, day, currency };
        publish_tree(&mut tx, prover, &key, &balances, now).await?;
    }
    insert_house(&mut tx, merchant_id, day).await?;
    tx.commit().await?;
    Ok(())
}

/// Identifies a tree.
struct TreeKey {
    merchant_id: Uuid,
    day: NaiveDate,
    currency: Currency,
}

async fn is_published(db: &PgPool, merchant_id: Uuid, day: NaiveDate) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from wallet_proofs where merchant_id = $1 and day = $2
         ) as "published!""#,
        merchant_id,
        day,
    )
    .fetch_one(db)
    .await
}

/// What a merchant owes each holder, by currency. Demo money is not owed.
async fn list_balances(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<BTreeMap<Currency, Vec<(Uuid, i64)>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select h.holder_id, h.currency, h.points,
            h.main + h.held + h.bonus + case when h.has_vendors then (
                select coalesce(sum(v.balance), 0)::bigint from wallet_vendors v
                where v.holder_id = h.holder_id
            ) else 0 end as "owed!"
         from wallet_holders h where h.merchant_id = $1 and h.currency <> 'FUN'"#,
        merchant_id,
    )
    .fetch_all(db)
    .await?;
    let mut balances: BTreeMap<Currency, Vec<(Uuid, i64)>> = BTreeMap::new();
    for row in rows {
        let currency = parse_currency(&row.currency)?;
        balances.entry(currency).or_default().push((row.holder_id, row.owed));
        if row.points > 0 {
            balances.entry(Currency::Pts).or_default().push((row.holder_id, row.points));
        }
    }
    Ok(balances)
}

async fn publish_tree(
    db: &mut PgConnection,
    prover: &Prover,
    key: &TreeKey,
    balances: &[(Uuid, i64)],
    now: DateTime<Utc>,
) -> Result<(), ProofError> {
    let leaves: Vec<_> =
        balances.iter().map(|(id, balance)| prover.leaf(key.day, *id, *balance)).collect();
    let tree = Tree::build(leaves.clone())?;
    insert_root(db, key, &tree, now).await?;
    let mut indexed = Vec::with_capacity(leaves.len());
    for ((id, balance), leaf) in balances.iter().zip(&leaves) {
        let index = tree.index_of(&leaf.node()?.hash).unwrap_or_default();
        indexed.push((*id, *balance, i64::try_from(index).unwrap_or(i64::MAX)));
    }
    for leaves in indexed.chunks(LEAVES_PER_INSERT) {
        insert_leaves(db, key, leaves).await?;
    }
    insert_nodes(db, key, &tree).await?;
    Ok(())
}

/// Stores the balances of the house accounts, summed over all transfers.
async fn insert_house(
    db: &mut PgConnection,
    merchant_id: Uuid,
    day: NaiveDate,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_house (merchant_id, day, account, currency, balance)
         select $1, $2, side.account, t.currency, sum(side.amount)::bigint
         from wallet_transfers t
         join wallet_holders h on h.holder_id = t.holder_id and h.merchant_id = $1
         cross join lateral (values (t.debit, -t.amount), (t.credit, t.amount))
            as side (account, amount)
         where side.account ^@ 'house:'
         group by side.account, t.currency",
        merchant_id,
        day,
    )
    .execute(db)
    .await
    .map(drop)
}

async fn insert_root(
    db: &mut PgConnection,
    key: &TreeKey,
    tree: &Tree,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let root = tree.root();
    let leaves = tree.levels().first().map_or(0, Vec::len);
    sqlx::query!(
        "insert into wallet_proofs (merchant_id, day, currency, root, total, leaves, made_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        key.merchant_id,
        key.day,
        key.currency.code(),
        root.hash.as_slice(),
        root.sum,
        i64::try_from(leaves).unwrap_or(i64::MAX),
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

async fn insert_leaves(
    db: &mut PgConnection,
    key: &TreeKey,
    leaves: &[(Uuid, i64, i64)],
) -> Result<(), sqlx::Error> {
    let ids: Vec<_> = leaves.iter().map(|(id, _, _)| *id).collect();
    let balances: Vec<_> = leaves.iter().map(|(_, balance, _)| *balance).collect();
    let indexes: Vec<_> = leaves.iter().map(|(_, _, index)| *index).collect();
    sqlx::query!(
        "insert into wallet_proof_leaves (holder_id, day, currency, balance, place)
         select id, $4, $5, balance, place
         from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as leaf (id, balance, place)",
        &ids,
        &balances,
        &indexes,
        key.day,
        key.currency.code(),
    )
    .execute(db)
    .await
    .map(drop)
}

async fn insert_nodes(
    db: &mut PgConnection,
    key: &TreeKey,
    tree: &Tree,
) -> Result<(), sqlx::Error> {
    for (level, nodes) in tree.levels().iter().enumerate() {
        for (chunk, nodes) in nodes.chunks(CHUNK).enumerate() {
            let bytes: Vec<u8> = nodes.iter().flat_map(|node| node.to_bytes()).collect();
            sqlx::query!(
                "insert into wallet_proof_nodes (merchant_id, day, currency, level, chunk, nodes)
                 values ($1, $2, $3, $4, $5, $6)",
                key.merchant_id,
                key.day,
                key.currency.code(),
                i16::try_from(level).unwrap_or(i16::MAX),
                i32::try_from(chunk).unwrap_or(i32::MAX),
                bytes,
            )
            .execute(&mut *db)
            .await?;
        }
    }
    Ok(())
}

/// A published root with its total.
pub(super) struct Root {
    pub(super) day: NaiveDate,
    pub(super) currency: String,
    pub(super) root: Vec<u8>,
    pub(super) total: i64,
    pub(super) leaves: i64,
    pub(super) made_at: DateTime<Utc>,
}

/// A merchant's roots of the last `limit` days before a day, newest first.
pub(super) async fn list_roots(
    db: &mut PgConnection,
    merchant_id: Uuid,
    before: Option<NaiveDate>,
    limit: i64,
) -> Result<Vec<Root>, sqlx::Error> {
    sqlx::query_as!(
        Root,
        "select day, currency, root, total, leaves, made_at from wallet_proofs
         where merchant_id = $1 and day in (
            select distinct day from wallet_proofs
            where merchant_id = $1 and day < coalesce($2, 'infinity'::date)
            order by day desc limit $3
         )
         order by day desc, currency",
        merchant_id,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A Merkle proof that a holder's balance is included under a root.
pub(super) struct Inclusion {
    pub(super) root: Root,
    pub(super) balance: Amount,
    pub(super) salt: [u8; 32],
    pub(super) steps: Vec<Step>,
}

/// A holder's proof for a day, by default for the latest.
pub(super) async fn find_inclusion(
    db: &mut PgConnection,
    prover: &Prover,
    (merchant_id, holder_id): (Uuid, Uuid),
    (currency, day): (Currency, Option<NaiveDate>),
) -> Result<Option<Inclusion>, sqlx::Error> {
    let leaf = sqlx::query!(
        r#"select l.balance, l.place, p.day, p.currency, p.root, p.total, p.leaves, p.made_at
         from wallet_proof_leaves l
         join wallet_proofs p on p.merchant_id = $1 and p.day = l.day and p.currency = l.currency
         where l.holder_id = $2 and l.currency = $3 and ($4::date is null or l.day = $4)
         order by l.day desc limit 1"#,
        merchant_id,
        holder_id,
        currency.code(),
        day,
    )
    .fetch_optional(&mut *db)
    .await?;
    let Some(leaf) = leaf else { return Ok(None) };
    let key = TreeKey { merchant_id, day: leaf.day, currency };
    let index = |number: i64| usize::try_from(number).unwrap_or_default();
    let mut steps = Vec::new();
    for place in merkle::places(index(leaf.leaves), index(leaf.place)) {
        let node = find_node(db, &key, place.level, place.index).await?;
        steps.push(Step { side: place.side, node });
    }
    let root = Root {
        day: leaf.day,
        currency: leaf.currency,
        root: leaf.root,
        total: leaf.total,
        leaves: leaf.leaves,
        made_at: leaf.made_at,
    };
    let salt = prover.salt(root.day, holder_id);
    Ok(Some(Inclusion { root, balance: Amount::from_units(leaf.balance), salt, steps }))
}

async fn find_node(
    db: &mut PgConnection,
    key: &TreeKey,
    level: usize,
    index: usize,
) -> Result<Node, sqlx::Error> {
    let start = (index % CHUNK) * NODE_SIZE;
    let bytes = sqlx::query_scalar!(
        r#"select substring(nodes from $6 for $7) as "node!" from wallet_proof_nodes
         where merchant_id = $1 and day = $2 and currency = $3 and level = $4 and chunk = $5"#,
        key.merchant_id,
        key.day,
        key.currency.code(),
        i16::try_from(level).unwrap_or(i16::MAX),
        i32::try_from(index / CHUNK).unwrap_or(i32::MAX),
        i32::try_from(start + 1).unwrap_or(i32::MAX),
        i32::try_from(NODE_SIZE).unwrap_or(i32::MAX),
    )
    .fetch_one(db)
    .await?;
    let broken = || sqlx::Error::Decode("a stored node of a proof tree is invalid".into());
    let bytes: [u8; NODE_SIZE] = bytes.try_into().map_err(|_| broken())?;
    Node::from_bytes(&bytes).map_err(|_| broken())
}
