//! All SQL of the studio.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

/// A seed pair as it is stored.
pub(super) struct SeedRow {
    pub(super) member_id: Uuid,
    pub(super) id: Uuid,
    pub(super) server_seed: Vec<u8>,
    pub(super) commitment: Vec<u8>,
    pub(super) client_seed: String,
    pub(super) next_nonce: i64,
    pub(super) revealed: bool,
}

pub(super) async fn insert_seed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_seeds
            (member_id, id, server_seed, commitment, client_seed, next_nonce, created_at)
         values ($1, $2, $3, $4, $5, 0, $6)",
        seed.member_id,
        seed.id,
        seed.server_seed,
        seed.commitment,
        seed.client_seed,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Which pairs a member plays with.
#[derive(Clone, Copy)]
pub(super) struct PlayerRow {
    pub(super) active_id: Uuid,
    pub(super) next_id: Uuid,
}

pub(super) async fn insert_player(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    pairs: PlayerRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_players (member_id, active_id, next_id) values ($1, $2, $3)",
        member_id,
        pairs.active_id,
        pairs.next_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Locks a member's player row: until the transaction ends nobody else draws or rotates.
pub(super) async fn lock_player(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<PlayerRow>, sqlx::Error> {
    sqlx::query_as!(
        PlayerRow,
        "select active_id, next_id from studio_players where member_id = $1 for no key update",
        member_id,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Which pairs a member plays with, without a lock.
pub(super) async fn find_player(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<PlayerRow>, sqlx::Error> {
    sqlx::query_as!(
        PlayerRow,
        "select active_id, next_id from studio_players where member_id = $1",
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Moves a locked player on to other pairs.
pub(super) async fn update_player(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    pairs: PlayerRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_players set active_id = $2, next_id = $3 where member_id = $1",
        member_id,
        pairs.active_id,
        pairs.next_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Takes the next nonce of a locked pair.
pub(super) async fn update_nonce(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_seeds set next_nonce = next_nonce + 1 where member_id = $1 and id = $2",
        seed.member_id,
        seed.id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Retires the active pair: from now on its server seed may be shown.
pub(super) async fn update_revealed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_seeds set revealed_at = $3 where member_id = $1 and id = $2",
        seed.member_id,
        seed.id,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Gives a pair that has not been used the client seed that the player chose.
pub(super) async fn update_client_seed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    client_seed: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_seeds set client_seed = $3
         where member_id = $1 and id = $2 and next_nonce = 0",
        seed.member_id,
        seed.id,
        client_seed,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Some pairs of a member, by id.
pub(super) async fn list_seeds(
    db: &mut PgConnection,
    member_id: Uuid,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, SeedRow>, sqlx::Error> {
    let rows = sqlx::query_as!(
        SeedRow,
        r#"select member_id, id, server_seed, commitment, client_seed, next_nonce,
            revealed_at is not null as "revealed!"
         from studio_seeds where member_id = $1 and id = any($2)"#,
        member_id,
        ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
