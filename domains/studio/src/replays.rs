//! Whether recorded rounds are what their seeds say: a sample of them is played again.

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

/// How many rounds are played again at a time.
const SAMPLE: i64 = 10_000;

/// What came of it.
pub struct Replayed {
    /// How many rounds were played again.
    pub rounds: u64,
    /// The first that is not what its seeds say.
    pub fault: Option<String>,
}

/// Plays a sample of recorded rounds again, each from its seeds.
pub async fn replay_sample(app: &Studio) -> Result<Replayed, ApiError> {
    let mut db = app.db.acquire().await?;
    let sample = games::sample_rounds(&mut db, SAMPLE).await?;
    let mut wanted: Vec<_> = sample.iter().map(|round| (round.member_id, round.seed_id)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let seeds = store::list_pairs(&mut db, &wanted).await?;
    drop(db);
    let vault = app.seed_vault.clone();
    let replay = move || {
        let seeds: HashMap<Uuid, SeedRow> = seeds.into_iter().map(|seed| (seed.id, seed)).collect();
        let fault = sample.iter().find_map(|round| {
            let what = differs(&vault, seeds.get(&round.seed_id), round)?;
            Some(format!("round {}: {what}", round.id))
        });
        Replayed { rounds: u64::try_from(sample.len()).unwrap_or_default(), fault }
    };
    tokio::task::spawn_blocking(replay).await.map_err(ApiError::internal)
}

/// What is wrong with a round, if anything is.
fn differs(vault: &SeedVault, seed: Option<&SeedRow>, round: &Round) -> Option<&'static str> {
    let Some(seed) = seed else { return Some("its seeds are gone") };
    let Some(rules) = rules::find(&round.game_code) else { return Some("its game is not known") };
    let Ok(server_seed) = vault.open(seed) else { return Some("its seed cannot be opened") };
    let (Ok(nonce), Ok(actions)) = (u64::try_from(round.nonce), list_of(&round.actions)) else {
        return Some("it cannot be read");
    };
    let mut stream = Stream::new(&server_seed, &seed.client_seed, nonce, rules.code());
    let terms = Terms { stake: round.stake, most: round.most };
    let Ok(told) = rules.play(&mut stream, &terms, &round.choice, &actions) else {
        return Some("the rules do not allow it");
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    if told.payout != Some(round.payout) {
        return Some("it paid something else than its draws say");
    }
    (json(&told.events) != json(&round.book)).then_some("its book is not what its draws say")
}
