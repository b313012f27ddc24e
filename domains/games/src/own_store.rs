//! The SQL of what a member likes and has opened.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A member's favorites, the latest first.
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

/// Adds a favorite; false where there are `most` of them already.
pub(super) async fn insert_favorite(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
    now: DateTime<Utc>,
    most: i64,
) -> Result<bool, sqlx::Error> {
    let is_in = sqlx::query_scalar!(
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
        most,
    );
    is_in.fetch_one(db).await
}

/// Takes a favorite away.
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

/// The games that a member opened last, the latest first.
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

/// Notes that a member opened a game, and forgets those beyond the latest `most`.
pub(super) async fn upsert_recent(
    db: &mut PgConnection,
    member_id: Uuid,
    game_code: &str,
    now: DateTime<Utc>,
    most: i64,
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
        most,
    )
    .execute(&mut *db)
    .await
    .map(drop)
}
