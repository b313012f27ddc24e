//! The SQL of passwords.

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

/// Since when a member has the password that it has.
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

/// Gives a password to a member that has none; false where it has one by now.
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

/// The password of the first of some usernames that has one.
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

/// Stores the same password under a better hash, unless it was changed meanwhile.
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

/// Replaces a password by another; false when somebody else did so first.
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

/// Keeps a retired password's hash, and forgets all but the youngest few.
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

/// The youngest of a member's retired passwords.
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

/// Replaces a transaction password by another; false when somebody else did so first.
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

/// Takes one of the tries at a transaction password before it is compared, so that guesses at the
/// same time count, too. The last one locks it until the given time; None when it is locked.
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

/// A right transaction password gives all tries back.
pub(super) async fn update_payment_right(db: &PgPool, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_payment_passwords set failures = 0, locked_until = null
         where member_id = $1",
        member_id,
    )
    .execute(db)
    .await
    .map(drop)
}
