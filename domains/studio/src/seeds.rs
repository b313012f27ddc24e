//! Seed pairs: kept secret, committed to in advance, revealed when they are retired.

use std::collections::HashSet;

use capiz_rules::fair::ServerSeed;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::rounds::SeedShown;
use super::store::{self, SeedRow};
use members::NewMember;
use platform::Core;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::secret::{RootKey, random_bytes};
use platform::vault::{Unreadable, Vault};
use wallet::{AuditError, Mark, Offence};

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
        wallet::set_mark(tx, id, first_turn(&active)).await?;
        Ok(())
    })
}

/// What the wallet remembers for the studio: the pair that is drawn from, and its next nonce.
fn first_turn(active: &SeedRow) -> Mark {
    Mark { reference: Some(active.id), count: 0 }
}

/// A member's pairs.
pub(super) struct Pairs {
    pub(super) active: SeedRow,
    pub(super) next: SeedRow,
    pub(super) next_nonce: i64,
}

/// A member's pairs as they are now. While the member's wallet is locked nobody draws or rotates.
pub(super) async fn find_pairs(db: &mut PgConnection, member_id: Uuid) -> Result<Pairs, ApiError> {
    let missing = || ApiError::internal("a member without seed pairs");
    let turn = wallet::find_mark(db, member_id).await?.ok_or_else(missing)?;
    let active_id = turn.reference.ok_or_else(missing)?;
    let next_id = store::find_next(db, member_id).await?.ok_or_else(missing)?;
    let mut rows = store::list_seeds(db, member_id, &[active_id, next_id]).await?;
    let mut take = |id| rows.remove(&id).ok_or_else(missing);
    Ok(Pairs { active: take(active_id)?, next: take(next_id)?, next_nonce: turn.count })
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
    store::update_next(tx, retired.member_id, next.id).await?;
    wallet::set_mark(tx, retired.member_id, first_turn(&active)).await?;
    Ok((retired, Pairs { active: SeedRow { client_seed, ..active }, next, next_nonce: 0 }))
}

/// A pair as a player may see it: its server seed once it is retired.
pub(super) fn show(vault: &SeedVault, seed: &SeedRow) -> Result<SeedShown, ApiError> {
    let server_seed = match seed.revealed {
        true => Some(vault.open(seed).map_err(ApiError::internal)?.reveal()),
        false => None,
    };
    Ok(SeedShown::of(seed, server_seed))
}

/// The audit's look at pairs: those in use exist, are their member's own and still secret.
pub async fn check_pairs(db: &mut PgConnection, members: &[Uuid]) -> Result<(), AuditError> {
    let turns = wallet::list_marks(db, members).await?.into_iter();
    let used: Vec<_> = turns.filter_map(|(id, mark)| Some((id, mark.reference?))).collect();
    let pairs = store::list_pairs(db, &used).await?.into_iter();
    let secret: HashSet<_> =
        pairs.filter(|pair| !pair.revealed).map(|pair| (pair.member_id, pair.id)).collect();
    match used.into_iter().find(|turn| !secret.contains(turn)) {
        Some((member_id, _)) => Err(Offence::new(member_id, "plays with no secret pair").into()),
        None => Ok(()),
    }
}
