//! Seed pairs for provably fair rounds. The server seed is stored encrypted, its hash is published
//! before the first round (commitment), and it is revealed when the pair is retired.

use std::collections::HashSet;

use capiz_rules::fair::ServerSeed;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::rounds::PublicSeedPair;
use super::store::{self, SeedRow};
use members::NewMember;
use platform::Core;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::secret::{RootKey, random_bytes};
use platform::vault::{Unreadable, Vault};
use wallet::{AuditError, HandlerCursor, Offence};

/// Encrypts server seeds, so that read access to the database does not reveal future outcomes.
#[derive(Clone)]
pub struct SeedVault(Vault);

impl SeedVault {
    /// Derives the vault's key from the root key of the installation.
    pub fn new(root: &RootKey) -> Self {
        Self(Vault::new(root, "studio/seeds"))
    }

    fn encrypt(&self, owner: (Uuid, Uuid), seed: &ServerSeed) -> Result<Vec<u8>, Unreadable> {
        self.0.lock(&row_context(owner), seed.as_bytes())
    }

    /// Decrypts the server seed of a row.
    pub(super) fn open(&self, row: &SeedRow) -> Result<ServerSeed, Unreadable> {
        let bytes = self.0.open(&row_context((row.member_id, row.id)), &row.server_seed)?;
        Ok(ServerSeed::from_bytes(bytes.try_into().map_err(|_| Unreadable)?))
    }

    /// Generates a new seed pair. The client seed is random until the player chooses one.
    pub(super) fn generate(
        &self,
        member_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<SeedRow, ApiError> {
        let seed = ServerSeed::from_bytes(random_bytes());
        let id = new_id(now);
        let server_seed = self.encrypt((member_id, id), &seed).map_err(ApiError::internal)?;
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

/// Associated data of the encryption: binds an encrypted seed to its row, so it cannot be moved.
fn row_context((member_id, id): (Uuid, Uuid)) -> Vec<u8> {
    [member_id.as_bytes().as_slice(), id.as_bytes()].concat()
}

/// Creates the active and the next seed pair of a new member, so that both commitments exist before
/// the first bet.
pub fn on_registered<'a>(
    app: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    member: &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>> {
    let profile = &member.profile;
    Box::pin(async move {
        let vault = SeedVault::new(&app.root);
        let (id, now) = (profile.id, profile.registered_at);
        let (active, next) = (vault.generate(id, now)?, vault.generate(id, now)?);
        store::insert_seed(tx, &active, now).await?;
        store::insert_seed(tx, &next, now).await?;
        store::insert_player(tx, id, next.id).await?;
        wallet::set_cursor(tx, id, initial_cursor(&active)).await?;
        Ok(())
    })
}

/// The cursor that the wallet stores for the studio: the active pair, and its next nonce.
fn initial_cursor(active: &SeedRow) -> HandlerCursor {
    HandlerCursor { reference: Some(active.id), count: 0 }
}

/// A member's active and next seed pair.
pub(super) struct Pairs {
    pub(super) active: SeedRow,
    pub(super) next: SeedRow,
    pub(super) next_nonce: i64,
}

/// Reads a member's pairs. While the member's wallet row is locked, no other transaction can draw
/// from them or rotate them.
pub(super) async fn find_pairs(db: &mut PgConnection, member_id: Uuid) -> Result<Pairs, ApiError> {
    let missing = || ApiError::internal("the member has no seed pairs");
    let cursor = wallet::find_cursor(db, member_id).await?.ok_or_else(missing)?;
    let active_id = cursor.reference.ok_or_else(missing)?;
    let next_id = store::find_next(db, member_id).await?.ok_or_else(missing)?;
    let mut rows = store::list_seeds(db, member_id, &[active_id, next_id]).await?;
    let mut take = |id| rows.remove(&id).ok_or_else(missing);
    Ok(Pairs { active: take(active_id)?, next: take(next_id)?, next_nonce: cursor.count })
}

/// Retires the active pair, and activates the next one with the player's client seed.
pub(super) async fn rotate(
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
    store::update_next(tx, retired.member_id, next.id).await?;
    wallet::set_cursor(tx, retired.member_id, initial_cursor(&active)).await?;
    Ok((retired, Pairs { active: SeedRow { client_seed, ..active }, next, next_nonce: 0 }))
}

/// The public part of a pair, with the server seed if it is retired.
pub(super) fn public_pair(vault: &SeedVault, seed: &SeedRow) -> Result<PublicSeedPair, ApiError> {
    let server_seed = match seed.revealed {
        true => Some(vault.open(seed).map_err(ApiError::internal)?.reveal()),
        false => None,
    };
    Ok(PublicSeedPair::of(seed, server_seed))
}

/// Audit: every active pair must exist, belong to its member, and not be revealed.
pub async fn check_pairs(db: &mut PgConnection, members: &[Uuid]) -> Result<(), AuditError> {
    let cursors = wallet::list_cursors(db, members).await?.into_iter();
    let active: Vec<_> = cursors.filter_map(|(id, cursor)| Some((id, cursor.reference?))).collect();
    let pairs = store::list_pairs(db, &active).await?.into_iter();
    let secret: HashSet<_> =
        pairs.filter(|pair| !pair.revealed).map(|pair| (pair.member_id, pair.id)).collect();
    match active.into_iter().find(|pair| !secret.contains(pair)) {
        Some((member_id, _)) => {
            Err(Offence::new(member_id, "the active seed pair is missing or already revealed")
                .into())
        }
        None => Ok(()),
    }
}
