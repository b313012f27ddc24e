//! Audit of outcomes: replays a sample of recorded rounds from their seeds and compares them.

use std::collections::HashMap;

use capiz_rules::fair::Stream;
use capiz_rules::games::{self as rules, Terms};
use serde_json::Value;
use uuid::Uuid;

use super::seeds::SeedVault;
use super::steps_store::list_of;
use super::store::{self, SeedRow};
use crate::Studio;
use games::Round;
use platform::error::ApiError;

/// The size of the sample.
const SAMPLE: i64 = 10_000;

/// The result of replaying a sample.
pub struct Replayed {
    /// The number of rounds that were replayed.
    pub rounds: u64,
    /// The first round that differs from its replay, and how.
    pub fault: Option<String>,
}

/// Replays a sample of recorded rounds, each from its seeds.
pub async fn replay_sample(app: &Studio) -> Result<Replayed, ApiError> {
    let mut db = app.db.acquire().await?;
    let sample = games::sample_rounds(&mut db, SAMPLE).await?;
    let mut pairs: Vec<_> = sample.iter().map(|round| (round.member_id, round.seed_id)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let seeds = store::list_pairs(&mut db, &pairs).await?;
    drop(db);
    let vault = app.seed_vault.clone();
    let replay = move || {
        let seeds: HashMap<Uuid, SeedRow> = seeds.into_iter().map(|seed| (seed.id, seed)).collect();
        let fault = sample.iter().find_map(|round| {
            let fault = find_fault(&vault, seeds.get(&round.seed_id), round)?;
            Some(format!("round {}: {fault}", round.id))
        });
        Replayed { rounds: u64::try_from(sample.len()).unwrap_or_default(), fault }
    };
    tokio::task::spawn_blocking(replay).await.map_err(ApiError::internal)
}

/// How a recorded round differs from its replay, if it does.
fn find_fault(vault: &SeedVault, seed: Option<&SeedRow>, round: &Round) -> Option<&'static str> {
    let Some(seed) = seed else { return Some("its seed pair is missing") };
    let Some(rules) = rules::find(&round.game_code) else { return Some("its game is unknown") };
    let Ok(server_seed) = vault.open(seed) else {
        return Some("its server seed cannot be decrypted");
    };
    let (Ok(nonce), Ok(actions)) = (u64::try_from(round.nonce), list_of(&round.actions)) else {
        return Some("its nonce or actions are invalid");
    };
    let mut stream = Stream::new(&server_seed, &seed.client_seed, nonce, rules.code());
    let terms = Terms { stake: round.stake, most: round.most };
    let Ok(outcome) = rules.play(&mut stream, &terms, &round.choice, &actions) else {
        return Some("the rules refuse its choice or actions");
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    if outcome.payout != Some(round.payout) {
        return Some("its payout differs from the replay");
    }
    (json(&outcome.events) != json(&round.book)).then_some("its book differs from the replay")
}
