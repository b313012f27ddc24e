//! The SQL of the audit log.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

/// An entry as it is stored.
pub(super) struct Row {
    pub(super) seq: i64,
    pub(super) at: DateTime<Utc>,
    pub(super) actor_id: Option<Uuid>,
    pub(super) actor: String,
    pub(super) action: String,
    pub(super) subject: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) address: Option<String>,
    pub(super) hash: Vec<u8>,
}

/// Locks the head row and returns the last sequence number and hash. Other writers wait until this
/// transaction ends.
pub(super) async fn lock_head(tx: &mut PgTransaction<'_>) -> Result<(i64, Vec<u8>), sqlx::Error> {
    let head = sqlx::query!("select seq, hash from staff_trail_head for update")
        .fetch_one(&mut **tx)
        .await?;
    Ok((head.seq, head.hash))
}

pub(super) async fn find_head(
    db: &mut PgConnection,
) -> Result<Option<(i64, Vec<u8>)>, sqlx::Error> {
    let head = sqlx::query!("select seq, hash from staff_trail_head").fetch_optional(db).await?;
    Ok(head.map(|head| (head.seq, head.hash)))
}

pub(super) async fn update_head(
    tx: &mut PgTransaction<'_>,
    seq: i64,
    hash: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!("update staff_trail_head set seq = $1, hash = $2", seq, hash)
        .execute(&mut **tx)
        .await
        .map(drop)
}

pub(super) async fn insert(tx: &mut PgTransaction<'_>, row: &Row) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into staff_trail
            (seq, at, actor_id, actor, action, subject, before, after, reason, address, hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        row.seq,
        row.at,
        row.actor_id,
        row.actor,
        row.action,
        row.subject,
        row.before,
        row.after,
        row.reason,
        row.address,
        row.hash,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Entries after a sequence number, in ascending order.
pub(super) async fn list_after(
    db: &mut PgConnection,
    seq: i64,
    limit: i64,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select seq, at, actor_id, actor, action, subject, before, after, reason, address, hash
         from staff_trail where seq > $1 order by seq limit $2",
        seq,
        limit,
    )
    .fetch_all(db)
    .await
}

/// The filter of a list of entries. Action and subject match by prefix.
#[derive(Default)]
pub(super) struct Filter<'a> {
    pub(super) actor: Option<&'a str>,
    pub(super) action: Option<&'a str>,
    pub(super) subject: Option<&'a str>,
    pub(super) from: Option<DateTime<Utc>>,
    pub(super) until: Option<DateTime<Utc>>,
    /// Only entries with a smaller sequence number.
    pub(super) before: Option<i64>,
}

/// The entries that match a filter, newest first.
pub(super) async fn list(
    db: &PgPool,
    filter: &Filter<'_>,
    limit: i64,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select seq, at, actor_id, actor, action, subject, before, after, reason, address, hash
         from staff_trail
         where ($1::text is null or actor = $1)
           and ($2::text is null or starts_with(action, $2))
           and ($3::text is null or starts_with(subject, $3))
           and ($4::timestamptz is null or at >= $4)
           and ($5::timestamptz is null or at < $5)
           and ($6::bigint is null or seq < $6)
         order by seq desc limit $7",
        filter.actor,
        filter.action,
        filter.subject,
        filter.from,
        filter.until,
        filter.before,
        limit,
    )
    .fetch_all(db)
    .await
}
