//! The SQL of open rounds of several steps.

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::model::OpenRound;

struct OpenRow {
    id: Uuid,
    member_id: Uuid,
    merchant_id: Uuid,
    game_code: String,
    currency: String,
    stake: i64,
    most: i64,
    choice: String,
    actions: String,
    seed_id: Uuid,
    nonce: i64,
    begun_at: DateTime<Utc>,
    moved_at: DateTime<Utc>,
}

impl TryFrom<OpenRow> for OpenRound {
    type Error = sqlx::Error;

    fn try_from(row: OpenRow) -> Result<Self, sqlx::Error> {
        let currency = row.currency.parse::<Currency>();
        let actions = list_of(&row.actions);
        Ok(Self {
            id: row.id,
            member_id: row.member_id,
            merchant_id: row.merchant_id,
            game_code: row.game_code,
            currency: currency.map_err(|error| sqlx::Error::Decode(error.into()))?,
            stake: Amount::from_units(row.stake),
            most: Amount::from_units(row.most),
            choice: row.choice,
            actions: actions.map_err(|error| sqlx::Error::Decode(error.into()))?,
            seed_id: row.seed_id,
            nonce: row.nonce,
            begun_at: row.begun_at,
            moved_at: row.moved_at,
        })
    }
}

/// Splits a JSON array into its items, each as JSON.
pub(super) fn list_of(text: &str) -> Result<Vec<String>, serde_json::Error> {
    let items: Vec<serde_json::Value> = serde_json::from_str(text)?;
    Ok(items.iter().map(ToString::to_string).collect())
}

pub(super) async fn insert_open(
    tx: &mut PgTransaction<'_>,
    round: &OpenRound,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_open_rounds (member_id, game_code, id, merchant_id, currency, stake,
            most, choice, seed_id, nonce, begun_at, moved_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9, $10, $11, $11)",
        round.member_id,
        round.game_code,
        round.id,
        round.merchant_id,
        round.currency.code(),
        round.stake.units(),
        round.most.units(),
        round.choice,
        round.seed_id,
        round.nonce,
        round.begun_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A member's open round of a game.
pub(super) async fn find_open(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
) -> Result<Option<OpenRound>, sqlx::Error> {
    let row = sqlx::query_as!(
        OpenRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, most,
            choice::text as "choice!", actions::text as "actions!", seed_id, nonce, begun_at, moved_at
         from studio_open_rounds where member_id = $1 and game_code = $2"#,
        member_id,
        game_code,
    )
    .fetch_optional(db)
    .await?;
    row.map(OpenRound::try_from).transpose()
}

/// A member's open round by its id.
pub(super) async fn find_open_by_id(
    db: &mut PgConnection,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<OpenRound>, sqlx::Error> {
    let row = sqlx::query_as!(
        OpenRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, most,
            choice::text as "choice!", actions::text as "actions!", seed_id, nonce, begun_at, moved_at
         from studio_open_rounds where member_id = $1 and id = $2"#,
        member_id,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(OpenRound::try_from).transpose()
}

/// The open rounds of several members.
pub(super) async fn list_open(
    db: &mut PgConnection,
    members: &[Uuid],
) -> Result<Vec<OpenRound>, sqlx::Error> {
    let rows = sqlx::query_as!(
        OpenRow,
        r#"select id, member_id, merchant_id, game_code, currency, stake, most,
            choice::text as "choice!", actions::text as "actions!", seed_id, nonce, begun_at, moved_at
         from studio_open_rounds where member_id = any($1)"#,
        members,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(OpenRound::try_from).collect()
}

/// Open rounds without a step since a time, the oldest first.
pub(super) async fn list_abandoned(
    db: &mut PgConnection,
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<(Uuid, Uuid)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, id from studio_open_rounds where moved_at < $1
         order by moved_at limit $2",
        since,
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.member_id, row.id)).collect())
}

/// Whether a member has an open round of any game.
pub(super) async fn has_open(db: &mut PgConnection, member_id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from studio_open_rounds where member_id = $1) as "has_open!""#,
        member_id,
    )
    .fetch_one(db)
    .await
}

pub(super) async fn update_actions(
    tx: &mut PgTransaction<'_>,
    round: &OpenRound,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_open_rounds set actions = $3::text::jsonb, moved_at = $4
         where member_id = $1 and id = $2",
        round.member_id,
        round.id,
        round.actions_text(),
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn delete_open(
    tx: &mut PgTransaction<'_>,
    round: &OpenRound,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from studio_open_rounds where member_id = $1 and id = $2",
        round.member_id,
        round.id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}
