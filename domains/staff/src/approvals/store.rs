//! The SQL of approvals.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::Facts;

/// A new request.
pub(super) struct NewApproval<'a> {
    pub(super) id: Uuid,
    pub(super) kind: &'a str,
    pub(super) subject: &'a str,
    pub(super) what: &'a str,
    pub(super) reason: &'a str,
    pub(super) asked_by: Uuid,
    pub(super) now: DateTime<Utc>,
    pub(super) expires_at: DateTime<Utc>,
}

pub(super) async fn insert(
    tx: &mut PgTransaction<'_>,
    approval: &NewApproval<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into staff_approvals
            (id, kind, subject, what, reason, asked_by, asked_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        approval.id,
        approval.kind,
        approval.subject,
        approval.what,
        approval.reason,
        approval.asked_by,
        approval.now,
        approval.expires_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The columns of a request that a decision needs.
pub(super) struct ApprovalRow {
    pub(super) kind: String,
    pub(super) what: String,
    pub(super) asked_by: Uuid,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) state: String,
}

/// Locks a request, so that concurrent decisions are serialized.
pub(super) async fn lock(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
) -> Result<Option<ApprovalRow>, sqlx::Error> {
    sqlx::query_as!(
        ApprovalRow,
        "select kind, what, asked_by, expires_at, state from staff_approvals
         where id = $1 for update",
        id,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_decided(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    (state, decided_by): (&str, Uuid),
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update staff_approvals
         set state = $2, decided_by = $3, decision_reason = $4, decided_at = $5
         where id = $1 and state = 'open'",
        id,
        state,
        decided_by,
        reason,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn update_withdrawn(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update staff_approvals set state = 'withdrawn', decision_reason = $2, decided_at = $3
         where id = $1 and state = 'open'",
        id,
        reason,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Marks requests past their expiry as expired, and returns their ids and kinds.
pub(super) async fn update_expired(
    tx: &mut PgTransaction<'_>,
    now: DateTime<Utc>,
) -> Result<Vec<(Uuid, String)>, sqlx::Error> {
    let closed = sqlx::query!(
        "update staff_approvals set state = 'expired' where state = 'open' and expires_at <= $1
         returning id, kind",
        now,
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(closed.into_iter().map(|row| (row.id, row.kind)).collect())
}

/// A request with usernames, as lists return it.
pub(super) struct ShownRow {
    pub(super) id: Uuid,
    pub(super) kind: String,
    pub(super) subject: String,
    pub(super) what: String,
    pub(super) reason: String,
    pub(super) asked_by: String,
    pub(super) asked_by_id: Uuid,
    pub(super) asked_at: DateTime<Utc>,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) state: String,
    pub(super) decided_by: Option<String>,
    pub(super) decided_at: Option<DateTime<Utc>>,
    pub(super) decision_reason: Option<String>,
}

/// The filter of a list of requests.
#[derive(Default)]
pub(super) struct Filter<'a> {
    /// Only requests of these kinds.
    pub(super) kinds: &'a [String],
    pub(super) state: Option<&'a str>,
    /// Only requests by this person.
    pub(super) asked_by: Option<Uuid>,
    /// Only requests by other people than this one.
    pub(super) not_by: Option<Uuid>,
    /// Only requests older than this one.
    pub(super) before: Option<Uuid>,
    /// Only this request.
    pub(super) id: Option<Uuid>,
}

/// The requests that match a filter, newest first. A request past its expiry is returned as expired
/// even before the purge job marks it.
pub(super) async fn list(
    db: &PgPool,
    filter: &Filter<'_>,
    (now, limit): (DateTime<Utc>, i64),
) -> Result<Vec<ShownRow>, sqlx::Error> {
    sqlx::query_as!(
        ShownRow,
        r#"select a.id, a.kind, a.subject, a.what, a.reason, maker.username as asked_by,
            a.asked_by as asked_by_id, a.asked_at, a.expires_at, now_state.state as "state!",
            checker.username as "decided_by?", a.decided_at, a.decision_reason
         from staff_approvals a
         cross join lateral (
            select case when a.state = 'open' and a.expires_at <= $4 then 'expired'
                else a.state end as state
         ) now_state
         join staff_people maker on maker.id = a.asked_by
         left join staff_people checker on checker.id = a.decided_by
         where a.kind = any($1)
           and ($2::text is null or now_state.state = $2)
           and ($3::uuid is null or a.id < $3)
           and ($6::uuid is null or a.asked_by = $6)
           and ($7::uuid is null or a.asked_by <> $7)
           and ($8::uuid is null or a.id = $8)
         order by a.id desc limit $5"#,
        filter.kinds,
        filter.state,
        filter.before,
        now,
        limit,
        filter.asked_by,
        filter.not_by,
        filter.id,
    )
    .fetch_all(db)
    .await
}

/// The numbers of open requests: those by others of the given kinds, and one's own of any kind.
pub(super) async fn count_open(
    db: &PgPool,
    kinds: &[String],
    person_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(i64, i64), sqlx::Error> {
    let counted = sqlx::query!(
        r#"select count(*) filter (where asked_by <> $2 and kind = any($1)) as "others!",
            count(*) filter (where asked_by = $2) as "own!"
         from staff_approvals where state = 'open' and expires_at > $3"#,
        kinds,
        person_id,
        now,
    )
    .fetch_one(db)
    .await?;
    Ok((counted.others, counted.own))
}

/// One request by its id.
pub(super) async fn find_facts(
    db: &mut PgConnection,
    id: Uuid,
) -> Result<Option<Facts>, sqlx::Error> {
    sqlx::query_as!(
        Facts,
        r#"select a.kind, a.reason, maker.username as asked_by, a.asked_at, a.state,
            checker.username as "decided_by?", a.decided_at, a.decision_reason
         from staff_approvals a
         join staff_people maker on maker.id = a.asked_by
         left join staff_people checker on checker.id = a.decided_by
         where a.id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await
}
