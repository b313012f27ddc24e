//! All SQL of sessions.

use capiz_rules::money::Currency;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{IDLE, LIFE, Session, Token};
use crate::members::{MemberKind, Profile};

pub(super) async fn insert_session(
    tx: &mut PgTransaction<'_>,
    profile: &Profile,
    token: &Token,
    device_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_tokens
            (member_id, token_hash, merchant_id, device_hash, kind, currency,
             started_at, seen_at, ends_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7, $8)",
        profile.id,
        token.hash(),
        profile.merchant_id,
        device_hash,
        profile.kind.number(),
        profile.currency.code(),
        now,
        now + LIFE,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Notes a log-in; true when it was the member's first.
pub(super) async fn update_logins(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let before = sqlx::query_scalar!(
        "insert into sessions_logins (member_id, at) values ($1, $2)
         on conflict (member_id) do update set before_at = sessions_logins.at, at = excluded.at
         returning before_at",
        member_id,
        now,
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(before.is_none())
}

/// When the member logged in before the current time.
pub(super) async fn find_login_before(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("select before_at from sessions_logins where member_id = $1", member_id)
        .fetch_optional(db)
        .await
        .map(Option::flatten)
}

/// The live session of a token on its device.
pub(super) async fn find_session(
    db: &PgPool,
    token: &Token,
    device_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Session>, sqlx::Error> {
    let row = sqlx::query!(
        "select merchant_id, kind, currency, seen_at, ends_at from sessions_tokens
         where member_id = $1 and token_hash = $2 and device_hash = $3
           and ended_at is null and ends_at > $4 and seen_at > $5",
        token.member_id,
        token.hash(),
        device_hash,
        now,
        now - IDLE,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Session {
            merchant_id: row.merchant_id,
            kind: MemberKind::from_number(row.kind),
            currency: row
                .currency
                .parse::<Currency>()
                .map_err(|e| sqlx::Error::Decode(e.into()))?,
            seen_at: row.seen_at,
            ends_at: row.ends_at,
        })
    })
    .transpose()
}

pub(super) async fn update_seen(
    db: &PgPool,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_tokens set seen_at = greatest(seen_at, $3)
         where member_id = $1 and token_hash = $2",
        token.member_id,
        token.hash(),
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Ends a session.
pub(super) async fn update_ended(
    tx: &mut PgTransaction<'_>,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_tokens set ended_at = $3
         where member_id = $1 and token_hash = $2 and ended_at is null",
        token.member_id,
        token.hash(),
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Removes some sessions whose time is over.
pub(super) async fn delete_over(
    db: &PgPool,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from sessions_tokens where (member_id, token_hash) in (
            select member_id, token_hash from sessions_tokens where ends_at < $1 limit $2
         )",
        now,
        limit,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected())
}

/// Sessions that have ended since a time: member and hash of the token.
pub(super) async fn list_ended(
    db: &PgPool,
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<(Uuid, [u8; 32])>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, token_hash from sessions_tokens where ended_at > $1 limit $2",
        since,
        limit,
    )
    .fetch_all(db)
    .await?;
    let ended = rows.into_iter().map(|row| {
        let hash = row.token_hash.try_into();
        Ok((row.member_id, hash.map_err(|_| sqlx::Error::Decode("a hash of 32 bytes".into()))?))
    });
    ended.collect()
}

/// Spends a proof of work; false when it was spent before.
pub(super) async fn insert_spent(
    db: &mut PgConnection,
    challenge: Uuid,
    expires_at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into sessions_spent (challenge, expires_at) values ($1, $2)
         on conflict do nothing",
        challenge,
        expires_at,
    )
    .execute(db)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// A captcha that a visitor was shown.
pub(super) struct NewCaptcha {
    pub(super) visit_hash: [u8; 32],
    pub(super) merchant_id: Uuid,
    pub(super) answer_hash: [u8; 32],
    pub(super) expires_at: DateTime<Utc>,
}

/// Puts a captcha in the place of the visitor's last one; false when that was drawn after
/// `not_after`.
pub(super) async fn upsert_captcha(
    db: &mut PgConnection,
    captcha: &NewCaptcha,
    not_after: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let written = sqlx::query!(
        "insert into sessions_captchas as c
            (visit_hash, merchant_id, answer_hash, drawn_at, expires_at)
         values ($1, $2, $3, $4, $5)
         on conflict (visit_hash) do update
         set merchant_id = excluded.merchant_id, answer_hash = excluded.answer_hash,
             drawn_at = excluded.drawn_at, expires_at = excluded.expires_at, answered = false
         where c.drawn_at <= $6",
        &captcha.visit_hash,
        captcha.merchant_id,
        &captcha.answer_hash,
        now,
        captcha.expires_at,
        not_after,
    )
    .execute(db)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Takes a visitor's live captcha, whatever the answer will be: the hash of its answer.
pub(super) async fn take_captcha(
    db: &mut PgConnection,
    visit_hash: &[u8; 32],
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "update sessions_captchas set answered = true
         where visit_hash = $1 and merchant_id = $2 and not answered and expires_at > $3
         returning answer_hash",
        visit_hash,
        merchant_id,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Removes some proofs and captchas whose time is over.
pub(super) async fn delete_over_gates(
    db: &PgPool,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let spent = sqlx::query!(
        "delete from sessions_spent where challenge in (
            select challenge from sessions_spent where expires_at < $1 limit $2
         )",
        now,
        limit,
    )
    .execute(db)
    .await?;
    let captchas = sqlx::query!(
        "delete from sessions_captchas where visit_hash in (
            select visit_hash from sessions_captchas where expires_at < $1 limit $2
         )",
        now,
        limit,
    )
    .execute(db)
    .await?;
    Ok(spent.rows_affected() + captchas.rows_affected())
}
