//! The SQL of seed pairs.

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
    /// The number of rounds that it decided; 0 until it is retired.
    pub(super) rounds: i64,
    pub(super) revealed: bool,
}

pub(super) async fn insert_seed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_seeds
            (member_id, id, server_seed, commitment, client_seed, rounds, created_at)
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

pub(super) async fn insert_player(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    next_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_players (member_id, next_id) values ($1, $2)",
        member_id,
        next_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The pair that becomes active at the member's next rotation.
pub(super) async fn find_next(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select next_id from studio_players where member_id = $1", member_id)
        .fetch_optional(db)
        .await
}

pub(super) async fn update_next(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    next_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update studio_players set next_id = $2 where member_id = $1", member_id, next_id,)
        .execute(&mut **tx)
        .await
        .map(drop)
}

/// Retires a pair: from now on its server seed may be shown.
pub(super) async fn update_revealed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_seeds set revealed_at = $3, rounds = $4 where member_id = $1 and id = $2",
        seed.member_id,
        seed.id,
        now,
        seed.rounds,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Sets the client seed of a pair that was not used yet.
pub(super) async fn update_client_seed(
    tx: &mut PgTransaction<'_>,
    seed: &SeedRow,
    client_seed: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_seeds set client_seed = $3
         where member_id = $1 and id = $2 and revealed_at is null",
        seed.member_id,
        seed.id,
        client_seed,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A member's pairs with these ids, by id.
pub(super) async fn list_seeds(
    db: &mut PgConnection,
    member_id: Uuid,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, SeedRow>, sqlx::Error> {
    let rows = sqlx::query_as!(
        SeedRow,
        r#"select member_id, id, server_seed, commitment, client_seed, rounds,
            revealed_at is not null as "revealed!"
         from studio_seeds where member_id = $1 and id = any($2)"#,
        member_id,
        ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// Pairs of several members, by member and id.
pub(super) async fn list_pairs(
    db: &mut PgConnection,
    pairs: &[(Uuid, Uuid)],
) -> Result<Vec<SeedRow>, sqlx::Error> {
    let (members, ids): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    sqlx::query_as!(
        SeedRow,
        r#"select s.member_id, s.id, s.server_seed, s.commitment, s.client_seed, s.rounds,
            s.revealed_at is not null as "revealed!"
         from unnest($1::uuid[], $2::uuid[]) as wanted (member_id, id)
         cross join lateral (
            select * from studio_seeds
            where member_id = wanted.member_id and id = wanted.id limit 1
         ) s"#,
        &members,
        &ids,
    )
    .fetch_all(db)
    .await
}
