//! Background jobs of the studio: end abandoned rounds, pay outstanding jackpot hits, and move
//! contributions into the pools.

use std::time::Duration;

use platform::error::ApiError;
use platform::jobs::{Bounds, JobFailure, Registry};

use super::{Studio, end_abandoned_rounds, settle_jackpots};

pub(super) fn register(registry: &mut Registry, app: &Studio) {
    let rounds = app.clone();
    registry.handle("studio.left_rounds", Bounds::default(), move |_| {
        let app = rounds.clone();
        async move { end_abandoned_rounds(&app).await.map_err(as_failure) }
    });
    registry.schedule("studio.left_rounds", Duration::from_secs(60));
    let app = app.clone();
    registry.handle("studio.jackpots", Bounds::default(), move |_| {
        let app = app.clone();
        async move { settle_jackpots(&app).await.map_err(as_failure) }
    });
    registry.schedule("studio.jackpots", Duration::from_secs(15));
}

fn as_failure(error: ApiError) -> JobFailure {
    format!("{error:?}").into()
}
