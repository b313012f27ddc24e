//! The SQL of proofs of work and captchas.

use chrono::{DateTime, Utc};
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Postgres};
use uuid::Uuid;

/// Marks a proof of work as spent; false if it was spent before. It commits on its own with
/// `synchronous_commit = off`: the request that needs the proof commits its own work later.
pub(super) async fn insert_spent(
    mut db: PoolConnection<Postgres>,
    challenge: Uuid,
    expires_at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into sessions_spent (challenge, expires_at)
         select $1, $2 where set_config('synchronous_commit', 'off', true) = 'off'
         on conflict do nothing",
        challenge,
        expires_at,
    )
    .execute(&mut *db)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// A captcha that was shown to a visitor.
pub(super) struct NewCaptcha {
    pub(super) visit_hash: [u8; 32],
    pub(super) merchant_id: Uuid,
    pub(super) answer_hash: [u8; 32],
    pub(super) expires_at: DateTime<Utc>,
}

/// Replaces the visitor's captcha; false if the previous one was drawn after `not_after`.
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

/// Uses up the visitor's live captcha, whether the answer is right or wrong, and returns the hash
/// of the right answer.
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
