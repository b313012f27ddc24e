//! SQL for login passwords and transaction passwords.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use platform::passwords::StoredHash;

/// A member's password as it is stored.
pub(super) struct PasswordRow {
    pub(super) member_id: Uuid,
    pub(super) hash: String,
    pub(super) peppered: bool,
    pub(super) imported: bool,
    pub(super) changed_at: DateTime<Utc>,
}

impl PasswordRow {
    pub(super) fn stored(&self) -> StoredHash {
        StoredHash { hash: self.hash.clone(), peppered: self.peppered }
    }
}

/// When a member's current password was set.
pub(super) async fn find_changed_at(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("select changed_at from members_passwords where member_id = $1", member_id)
        .fetch_optional(&mut **tx)
        .await
}

pub(super) async fn insert_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_passwords (member_id, hash, changed_at) values ($1, $2, $3)",
        member_id,
        hash,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Sets a member's first password; false if the member has one already.
pub(super) async fn insert_first_password(
    tx: &mut PgTransaction<'_>,
    (member_id, hash): (Uuid, &str),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_passwords (member_id, hash, changed_at) values ($1, $2, $3)
         on conflict do nothing",
        member_id,
        hash,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The password of the first of `names` that belongs to a member with a password.
pub(super) async fn find_password_by_name(
    db: &mut PgConnection,
    merchant_id: Uuid,
    names: &[String],
) -> Result<Option<PasswordRow>, sqlx::Error> {
    sqlx::query_as!(
        PasswordRow,
        "select p.member_id, p.hash, p.peppered, p.imported, p.changed_at from members_names n
         join members_passwords p on p.member_id = n.member_id
         where n.merchant_id = $1 and n.name = any($2)
         order by array_position($2, n.name) limit 1",
        merchant_id,
        names,
    )
    .fetch_optional(db)
    .await
}

/// A member's password.
pub(super) async fn find_password(
    db: &PgPool,
    member_id: Uuid,
) -> Result<Option<PasswordRow>, sqlx::Error> {
    sqlx::query_as!(
        PasswordRow,
        "select member_id, hash, peppered, imported, changed_at from members_passwords
         where member_id = $1",
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Stores a peppered hash of the same password, unless the password was changed meanwhile.
pub(super) async fn update_hash(
    db: &PgPool,
    row: &PasswordRow,
    hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_passwords set hash = $3, peppered = true
         where member_id = $1 and hash = $2",
        row.member_id,
        row.hash,
        hash,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Replaces a password; false if it was changed concurrently.
pub(super) async fn update_password(
    tx: &mut PgTransaction<'_>,
    old: &PasswordRow,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_passwords
         set hash = $3, peppered = true, imported = false, must_change = false, changed_at = $4
         where member_id = $1 and hash = $2",
        old.member_id,
        old.hash,
        hash,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Adds a replaced password's hash to the password history, and deletes all but the latest `keep`.
pub(super) async fn insert_old_password(
    tx: &mut PgTransaction<'_>,
    old: &PasswordRow,
    id: Uuid,
    keep: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_old_passwords (member_id, id, hash, peppered)
         values ($1, $2, $3, $4)",
        old.member_id,
        id,
        old.hash,
        old.peppered,
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from members_old_passwords where member_id = $1 and id not in (
            select id from members_old_passwords where member_id = $1 order by id desc limit $2
         )",
        old.member_id,
        keep,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The latest hashes of a member's password history.
pub(super) async fn list_old_passwords(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<StoredHash>, sqlx::Error> {
    sqlx::query_as!(
        StoredHash,
        "select hash, peppered from members_old_passwords
         where member_id = $1 order by id desc limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn insert_payment_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_payment_passwords (member_id, hash, changed_at)
         values ($1, $2, $3) on conflict do nothing",
        member_id,
        hash,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Replaces a transaction password; false if it was changed concurrently.
pub(super) async fn update_payment_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    (old, new): (&str, &str),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_payment_passwords set hash = $3, changed_at = $4
         where member_id = $1 and hash = $2",
        member_id,
        old,
        new,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// A member's transaction password, and until when it is locked.
pub(super) async fn find_payment_password(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<(String, Option<DateTime<Utc>>)>, sqlx::Error> {
    let row = sqlx::query!(
        "select hash, locked_until from members_payment_passwords where member_id = $1",
        member_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.hash, row.locked_until)))
}

/// Counts a try at the transaction password before it is compared, so that parallel guesses count,
/// too. The last allowed try locks it until `locked_until`. None if it is locked or does not exist.
pub(super) async fn update_payment_try(
    db: &PgPool,
    member_id: Uuid,
    tries: i32,
    (now, locked_until): (DateTime<Utc>, DateTime<Utc>),
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "update members_payment_passwords set
            failures = case when locked_until is null then failures + 1 else 1 end,
            locked_until = case
                when locked_until is null and failures + 1 >= $2 then $4::timestamptz
            end
         where member_id = $1 and (locked_until is null or locked_until <= $3)
         returning hash",
        member_id,
        tries,
        now,
        locked_until,
    )
    .fetch_optional(db)
    .await
}

/// Resets the failed tries and the lock after a correct transaction password.
pub(super) async fn reset_payment_failures(
    db: &PgPool,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_payment_passwords set failures = 0, locked_until = null
         where member_id = $1",
        member_id,
    )
    .execute(db)
    .await
    .map(drop)
}
