//! The SQL of favorites and recently opened games.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A member's favorites, newest first.
pub(super) async fn list_favorites(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select game_code from games_favorites where member_id = $1
         order by added_at desc, game_code limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Adds a favorite. False if the member already has `max` others.
pub(super) async fn insert_favorite(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
    now: DateTime<Utc>,
    max: i64,
) -> Result<bool, sqlx::Error> {
    let is_stored = sqlx::query_scalar!(
        r#"with others as (
            select count(*) filter (where game_code <> $2) as count from games_favorites
            where member_id = $1
         ), added as (
            insert into games_favorites (member_id, game_code, added_at)
            select $1, $2, $3 from others where count < $4
            on conflict (member_id, game_code) do nothing
         )
         select count < $4 as "is_in!" from others"#,
        member_id,
        game_code,
        now,
        max,
    );
    is_stored.fetch_one(db).await
}

/// Removes a favorite.
pub(super) async fn delete_favorite(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from games_favorites where member_id = $1 and game_code = $2",
        member_id,
        game_code,
    )
    .execute(db)
    .await
    .map(drop)
}

/// The games that a member opened last, newest first.
pub(super) async fn list_recents(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select game_code from games_recents where member_id = $1
         order by opened_at desc, game_code limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Stores that a member opened a game, and deletes all but the latest `max`.
pub(super) async fn upsert_recent(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
    now: DateTime<Utc>,
    max: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into games_recents (member_id, game_code, opened_at) values ($1, $2, $3)
         on conflict (member_id, game_code) do update
            set opened_at = greatest(games_recents.opened_at, excluded.opened_at)",
        member_id,
        game_code,
        now,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "delete from games_recents where member_id = $1 and game_code in (
            select game_code from games_recents where member_id = $1
            order by opened_at desc, game_code offset $2
         )",
        member_id,
        max,
    )
    .execute(&mut *db)
    .await
    .map(drop)
}
