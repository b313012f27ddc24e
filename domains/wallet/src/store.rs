//! The SQL of the ledger, except that of the audit and the office. Transfers are only inserted,
//! never updated or deleted.

use std::collections::{BTreeMap, HashMap};

use capiz_rules::chain;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::locked::{Holder, PendingTransfer};
use super::model::{HandlerCursor, Posted, Vendor};
use super::reasons::Reason;
use platform::bulk::{Bulk, Text};
use platform::ctid::Ctid;

pub(super) async fn insert_holder(
    db: &mut PgConnection,
    (holder_id, kind): (Uuid, &str),
    merchant_id: Uuid,
    currency: Currency,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_holders (holder_id, merchant_id, kind, currency, hash)
         values ($1, $2, $3, $4, $5)",
        holder_id,
        merchant_id,
        kind,
        currency.code(),
        chain::START.as_slice(),
    )
    .execute(db)
    .await
    .map(drop)
}

struct HolderRow {
    ctid: Ctid,
    holder_id: Uuid,
    merchant_id: Uuid,
    currency: String,
    seq: i64,
    hash: Vec<u8>,
    main: i64,
    held: i64,
    bonus: i64,
    points: i64,
    desk_ref: Option<Uuid>,
    desk_count: i64,
    has_vendors: bool,
    is_frozen: bool,
    is_closed: bool,
}

impl TryFrom<HolderRow> for (Uuid, Holder) {
    type Error = sqlx::Error;

    fn try_from(row: HolderRow) -> Result<Self, sqlx::Error> {
        let holder = Holder {
            ctid: row.ctid,
            merchant_id: row.merchant_id,
            currency: parse_currency(&row.currency)?,
            seq: row.seq,
            hash: parse_hash(&row.hash)?,
            main: row.main,
            held: row.held,
            bonus: row.bonus,
            points: row.points,
            cursor: HandlerCursor { reference: row.desk_ref, count: row.desk_count },
            has_vendors: row.has_vendors,
            is_frozen: row.is_frozen,
            is_closed: row.is_closed,
            vendors: BTreeMap::new(),
        };
        Ok((row.holder_id, holder))
    }
}

pub(super) fn parse_currency(code: &str) -> Result<Currency, sqlx::Error> {
    code.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

fn parse_hash(bytes: &[u8]) -> Result<[u8; 32], sqlx::Error> {
    bytes.try_into().map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// Locks the holders' rows in the order of their ids, and waits for each.
pub(super) async fn lock_holders(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Holder>, sqlx::Error> {
    let rows = sqlx::query_as!(
        HolderRow,
        r#"select ctid as "ctid!: Ctid", holder_id, merchant_id, currency, seq, hash,
            main, held, bonus, points, desk_ref, desk_count, has_vendors, is_frozen, is_closed
         from wallet_holders where holder_id = any($1)
         order by holder_id for no key update"#,
        ids,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Locks the rows that no other transaction has locked, in the order of their ids.
pub(super) async fn lock_free_holders(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Holder>, sqlx::Error> {
    let rows = sqlx::query_as!(
        HolderRow,
        r#"select ctid as "ctid!: Ctid", holder_id, merchant_id, currency, seq, hash,
            main, held, bonus, points, desk_ref, desk_count, has_vendors, is_frozen, is_closed
         from wallet_holders where holder_id = any($1)
         order by holder_id for no key update skip locked"#,
        ids,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

pub(super) async fn list_vendors(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Vendor, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select holder_id, vendor, balance from wallet_vendors where holder_id = any($1)",
        ids,
    )
    .fetch_all(db)
    .await?;
    let wallets = rows.into_iter().map(|row| {
        let vendor = Vendor::new(&row.vendor);
        let vendor =
            vendor.ok_or_else(|| sqlx::Error::Decode("the vendor's name is invalid".into()))?;
        Ok((row.holder_id, vendor, row.balance))
    });
    wallets.collect()
}

/// A posting that was found by its idempotency key: the hash of its body, its reference, its
/// reason, and the main balance after the last of its transfers.
pub(super) struct PostedKey {
    pub(super) body_hash: Vec<u8>,
    pub(super) reference: Uuid,
    pub(super) kind: String,
    pub(super) first_seq: i64,
    pub(super) version: i64,
    pub(super) balance: i64,
}

impl PostedKey {
    pub(super) fn posted(&self) -> Posted {
        Posted {
            reference: self.reference,
            balance: Amount::from_units(self.balance),
            version: self.version,
            is_replay: true,
        }
    }
}

/// Looks up postings by idempotency key. The first transfer of a posting has the key; the posting
/// extends to the row before the next transfer with a key. The lateral subqueries keep the keys on
/// the outer side of the join, even when the planner's statistics say that the table is empty.
pub(super) async fn find_posted_keys(
    db: &mut PgConnection,
    keys: Vec<(Uuid, String)>,
) -> Result<HashMap<(Uuid, String), PostedKey>, sqlx::Error> {
    let (holders, keys): (Vec<Uuid>, Vec<String>) = keys.into_iter().unzip();
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query!(
        r#"select asked.holder_id as "holder_id!", asked.key as "key!",
            first.body_hash as "body_hash!", first.ref as reference, first.kind, first.seq,
            last.seq as version,
            coalesce(last.main_after, (select main from wallet_holders h where h.holder_id = asked.holder_id)) as "balance!"
         from unnest($1::uuid[], $2::text[]) as asked (holder_id, key)
         cross join lateral (
            select t.seq, t.body_hash, t.ref, t.kind from wallet_transfers t
            where t.holder_id = asked.holder_id and t.key = asked.key and t.key is not null
            limit 1
         ) first
         cross join lateral (
            select max(p.seq) as seq,
                (array_agg(case when p.credit = 'main' then p.credit_after else p.debit_after end
                    order by p.seq desc)
                    filter (where p.credit = 'main' or p.debit = 'main'))[1] as main_after
            from wallet_transfers p
            where p.holder_id = asked.holder_id and p.seq >= first.seq
              and p.seq < coalesce((
                select n.seq from wallet_transfers n
                where n.holder_id = asked.holder_id and n.seq > first.seq and n.key is not null
                order by n.seq limit 1
              ), 9223372036854775807)
         ) last"#,
        &holders,
        &keys,
    )
    .fetch_all(db)
    .await?;
    let found = rows.into_iter().map(|row| {
        let posted = PostedKey {
            body_hash: row.body_hash,
            reference: row.reference,
            kind: row.kind,
            first_seq: row.seq,
            version: row.version.unwrap_or(row.seq),
            balance: row.balance,
        };
        ((row.holder_id, row.key), posted)
    });
    Ok(found.collect())
}

/// Inserts transfers in bulk.
pub(super) async fn insert_transfers(
    db: &mut PgConnection,
    rows: &[PendingTransfer],
) -> Result<(), sqlx::Error> {
    Bulk::new("wallet_transfers", rows.len())
        .uuids("holder_id", rows.iter().map(|row| row.holder_id))
        .numbers("seq", rows.iter().map(|row| row.seq))
        .numbers("amount", rows.iter().map(|row| row.amount))
        .numbers("debit_after", rows.iter().map(|row| row.debit_after))
        .numbers("credit_after", rows.iter().map(|row| row.credit_after))
        .times("at", rows.iter().map(|row| row.at))
        .numbers("reverses", rows.iter().map(|row| row.reverses))
        .uuids("ref", rows.iter().map(|row| row.reference))
        .texts("currency", rows.iter().map(|row| Text::Borrowed(row.currency.code())))
        .texts("debit", rows.iter().map(|row| row.debit.clone()))
        .texts("credit", rows.iter().map(|row| row.credit.clone()))
        .texts("kind", rows.iter().map(|row| Text::Borrowed(row.reason.name())))
        .texts("key", rows.iter().map(|row| Some(Text::Owned(row.key.as_ref()?.text.clone()))))
        .hashes("body_hash", rows.iter().map(|row| Some(row.key.as_ref()?.body_hash)))
        .hashes("hash", rows.iter().map(|row| row.hash))
        .insert(db)
        .await
}

/// Updates the balances, chain heads and cursors of locked holders, whose rows are found by `ctid`.
/// If a row is missing, nothing may be committed: the error makes the caller roll back.
#[expect(
    clippy::as_conversions,
    reason = "sqlx needs the cast to accept a type that it does not know"
)]
pub(super) async fn update_holders(
    db: &mut PgConnection,
    holders: &[(Uuid, Holder)],
) -> Result<(), sqlx::Error> {
    let numbers = |of: fn(&Holder) -> i64| -> Vec<i64> {
        holders.iter().map(|(_, holder)| of(holder)).collect()
    };
    let ids: Vec<Uuid> = holders.iter().map(|(id, _)| *id).collect();
    let hashes: Vec<Vec<u8>> = holders.iter().map(|(_, holder)| holder.hash.to_vec()).collect();
    let has_vendors: Vec<bool> = holders.iter().map(|(_, holder)| holder.has_vendors).collect();
    let ctids: Vec<Ctid> = holders.iter().map(|(_, holder)| holder.ctid).collect();
    let references: Vec<_> = holders.iter().map(|(_, holder)| holder.cursor.reference).collect();
    let updated = sqlx::query!(
        "update wallet_holders h
         set main = n.main, held = n.held, bonus = n.bonus, points = n.points,
            has_vendors = n.has_vendors, seq = n.seq, hash = n.hash,
            desk_ref = n.desk_ref, desk_count = n.desk_count
         from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
            $6::boolean[], $7::bigint[], $8::bytea[], $9::tid[], $10::uuid[], $11::bigint[])
            as n (id, main, held, bonus, points, has_vendors, seq, hash, place, desk_ref, desk_count)
         where h.ctid = n.place and h.holder_id = n.id",
        &ids,
        &numbers(|holder| holder.main),
        &numbers(|holder| holder.held),
        &numbers(|holder| holder.bonus),
        &numbers(|holder| holder.points),
        &has_vendors,
        &numbers(|holder| holder.seq),
        &hashes,
        &ctids as &[Ctid],
        &references as &[Option<Uuid>],
        &numbers(|holder| holder.cursor.count),
    )
    .execute(db)
    .await?;
    match usize::try_from(updated.rows_affected()) == Ok(holders.len()) {
        true => Ok(()),
        false => Err(sqlx::Error::RowNotFound),
    }
}

/// Updates the balances of the holders' wallets at vendors.
pub(super) async fn update_vendors(
    db: &mut PgConnection,
    holders: &[(Uuid, Holder)],
) -> Result<(), sqlx::Error> {
    for (id, holder) in holders {
        for (vendor, balance) in &holder.vendors {
            sqlx::query!(
                "insert into wallet_vendors (holder_id, vendor, balance) values ($1, $2, $3)
                 on conflict (holder_id, vendor) do update set balance = excluded.balance",
                id,
                vendor.name(),
                balance,
            )
            .execute(&mut *db)
            .await?;
        }
    }
    Ok(())
}

/// A holder's main balance and its version.
pub(super) async fn find_balance(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<(i64, i64)>, sqlx::Error> {
    let row = sqlx::query!("select main, seq from wallet_holders where holder_id = $1", holder_id)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| (row.main, row.seq)))
}

pub(super) async fn find_cursor(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<HandlerCursor>, sqlx::Error> {
    let row = sqlx::query!(
        "select desk_ref, desk_count from wallet_holders where holder_id = $1",
        holder_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| HandlerCursor { reference: row.desk_ref, count: row.desk_count }))
}

pub(super) async fn list_cursors(
    db: &mut PgConnection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, HandlerCursor)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select holder_id, desk_ref, desk_count from wallet_holders where holder_id = any($1)",
        ids,
    )
    .fetch_all(db)
    .await?;
    let cursor = |reference, count| HandlerCursor { reference, count };
    Ok(rows.into_iter().map(|row| (row.holder_id, cursor(row.desk_ref, row.desk_count))).collect())
}

pub(super) async fn update_cursor(
    db: &mut PgConnection,
    holder_id: Uuid,
    cursor: HandlerCursor,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update wallet_holders set desk_ref = $2, desk_count = $3 where holder_id = $1",
        holder_id,
        cursor.reference,
        cursor.count,
    )
    .execute(db)
    .await
    .map(drop)
}

pub(super) async fn insert_hold(
    db: &mut PgConnection,
    (holder_id, id): (Uuid, Uuid),
    amount: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_holds (holder_id, id, amount) values ($1, $2, $3)",
        holder_id,
        id,
        amount,
    )
    .execute(db)
    .await
    .map(drop)
}

/// An open hold's amount. Call it while the holder's row is locked.
pub(super) async fn find_open_hold(
    db: &mut PgConnection,
    (holder_id, id): (Uuid, Uuid),
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "select amount from wallet_holds where holder_id = $1 and id = $2 and captured is null",
        holder_id,
        id,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn update_hold_ended(
    db: &mut PgConnection,
    (holder_id, id): (Uuid, Uuid),
    captured: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update wallet_holds set captured = $3 where holder_id = $1 and id = $2",
        holder_id,
        id,
        captured,
    )
    .execute(db)
    .await
    .map(drop)
}

/// An escrow to insert: one generation of a pool.
pub(super) struct NewEscrow<'a> {
    pub(super) holder_id: Uuid,
    pub(super) pool_id: Uuid,
    pub(super) generation: i64,
    pub(super) purpose: &'a str,
}

pub(super) async fn insert_escrow(
    db: &mut PgConnection,
    escrow: &NewEscrow<'_>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_escrows (holder_id, pool_id, generation, purpose, opened_at)
         values ($1, $2, $3, $4, $5)",
        escrow.holder_id,
        escrow.pool_id,
        escrow.generation,
        escrow.purpose,
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Whether any of these holders is a closed escrow. Call it while their rows are locked.
pub(super) async fn has_closed(db: &mut PgConnection, ids: &[Uuid]) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from wallet_escrows where holder_id = any($1) and closed_at is not null
         ) as "closed!""#,
        ids,
    )
    .fetch_one(db)
    .await
}

pub(super) async fn update_escrow_closed(
    db: &mut PgConnection,
    holder_id: Uuid,
    now: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let closed = sqlx::query!(
        "update wallet_escrows set closed_at = $2 where holder_id = $1 and closed_at is null",
        holder_id,
        now,
    )
    .execute(db)
    .await?;
    Ok(closed.rows_affected())
}

/// The sum that was paid into the escrows of a pool for one reason.
pub(super) async fn sum_into_pool(
    db: &mut PgConnection,
    pool_id: Uuid,
    reason: Reason,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select coalesce(sum(t.amount), 0)::bigint as "sum!" from wallet_escrows e
         join wallet_transfers t on t.holder_id = e.holder_id
         where e.pool_id = $1 and t.kind = $2 and t.credit = 'main'"#,
        pool_id,
        reason.name(),
    )
    .fetch_one(db)
    .await
}
