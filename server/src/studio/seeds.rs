//! Seed pairs: kept secret, committed to in advance, revealed when they are retired.

use capiz_rules::fair::ServerSeed;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::store::{self, PlayerRow, SeedRow};
use crate::app::App;
use crate::members::NewMember;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::platform::secret::{RootKey, random_bytes};
use crate::platform::vault::{Unreadable, Vault};

/// Encrypts server seeds, so that reading the database does not tell outcomes.
#[derive(Clone)]
pub struct SeedVault(Vault);

impl SeedVault {
    /// The vault of an installation.
    pub fn new(root: &RootKey) -> Self {
        Self(Vault::new(root, "studio/seeds"))
    }

    fn lock(&self, owner: (Uuid, Uuid), seed: &ServerSeed) -> Result<Vec<u8>, Unreadable> {
        self.0.lock(&bound_to(owner), seed.as_bytes())
    }

    /// The seed of a row.
    pub(super) fn open(&self, row: &SeedRow) -> Result<ServerSeed, Unreadable> {
        let bytes = self.0.open(&bound_to((row.member_id, row.id)), &row.server_seed)?;
        Ok(ServerSeed::from_bytes(bytes.try_into().map_err(|_| Unreadable)?))
    }

    /// A new seed pair that nobody has seen, waiting to be used.
    pub(super) fn generate(
        &self,
        member_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<SeedRow, ApiError> {
        let seed = ServerSeed::from_bytes(random_bytes());
        let id = new_id(now);
        let server_seed = self.lock((member_id, id), &seed).map_err(ApiError::internal)?;
        let commitment = hex::decode(seed.commitment()).map_err(ApiError::internal)?;
        Ok(SeedRow {
            member_id,
            id,
            server_seed,
            commitment,
            client_seed: hex::encode(random_bytes::<8>()),
            rounds: 0,
            revealed: false,
        })
    }
}

/// The row that a sealed seed belongs to: it opens nowhere else.
fn bound_to((member_id, id): (Uuid, Uuid)) -> Vec<u8> {
    [member_id.as_bytes().as_slice(), id.as_bytes()].concat()
}

/// A new member has its pairs, and their commitments, before the first bet.
pub fn on_registered<'a>(
    app: &'a App,
    tx: &'a mut PgTransaction<'static>,
    member: &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>> {
    let profile = &member.profile;
    Box::pin(async move {
        let vault = &app.seed_vault;
        let (id, now) = (profile.id, profile.registered_at);
        let (active, next) = (vault.generate(id, now)?, vault.generate(id, now)?);
        store::insert_seed(tx, &active, now).await?;
        store::insert_seed(tx, &next, now).await?;
        let player = PlayerRow { active_id: active.id, next_id: next.id, next_nonce: 0 };
        store::insert_player(tx, id, player).await?;
        Ok(())
    })
}

/// A member's pairs, locked until the transaction ends.
pub(super) struct Pairs {
    pub(super) active: SeedRow,
    pub(super) next: SeedRow,
    pub(super) next_nonce: i64,
}

/// Locks a member's pairs: until the transaction ends nobody else draws or rotates.
pub(super) async fn lock_pairs(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Pairs, ApiError> {
    let missing = || ApiError::internal("a member without seed pairs");
    let player = store::lock_player(tx, member_id).await?.ok_or_else(missing)?;
    // A second statement on purpose: its snapshot is younger than the lock.
    pairs_of(tx, member_id, player).await
}

/// A member's pairs as they are now.
pub(super) async fn find_pairs(db: &PgPool, member_id: Uuid) -> Result<Pairs, ApiError> {
    let missing = || ApiError::internal("a member without seed pairs");
    let mut connection = db.acquire().await?;
    let player = store::find_player(&mut connection, member_id).await?.ok_or_else(missing)?;
    pairs_of(&mut connection, member_id, player).await
}

async fn pairs_of(
    db: &mut PgConnection,
    member_id: Uuid,
    player: PlayerRow,
) -> Result<Pairs, ApiError> {
    let ids = [player.active_id, player.next_id];
    let mut rows = store::list_seeds(db, member_id, &ids).await?;
    let mut take =
        |id| rows.remove(&id).ok_or_else(|| ApiError::internal("a player whose seeds are missing"));
    let (active, next) = (take(player.active_id)?, take(player.next_id)?);
    Ok(Pairs { active, next, next_nonce: player.next_nonce })
}

/// Retires the active pair, and puts the next one to use with the player's client seed.
pub(super) async fn turn_over(
    tx: &mut PgTransaction<'_>,
    vault: &SeedVault,
    pairs: Pairs,
    client_seed: String,
    now: DateTime<Utc>,
) -> Result<(SeedRow, Pairs), ApiError> {
    let Pairs { active: retired, next: active, next_nonce } = pairs;
    let retired = SeedRow { rounds: next_nonce, revealed: true, ..retired };
    let next = vault.generate(retired.member_id, now)?;
    store::update_revealed(tx, &retired, now).await?;
    store::update_client_seed(tx, &active, &client_seed).await?;
    store::insert_seed(tx, &next, now).await?;
    let player = PlayerRow { active_id: active.id, next_id: next.id, next_nonce: 0 };
    store::update_player(tx, retired.member_id, player).await?;
    Ok((retired, Pairs { active: SeedRow { client_seed, ..active }, next, next_nonce: 0 }))
}
