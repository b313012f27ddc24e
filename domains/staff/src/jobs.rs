//! What the office does by itself.

use std::time::Duration;

use platform::jobs::{Bounds, Registry};

use super::model::IDLE;
use super::{Staff, approvals, store};

/// Forgets what is over, every hour.
pub(super) fn register(registry: &mut Registry, app: &Staff) {
    let app = app.clone();
    registry.handle("staff.purge", Bounds::default(), move |_| {
        let app = app.clone();
        async move { Ok(purge(&app).await?) }
    });
    registry.schedule("staff.purge", Duration::from_secs(3600));
}

/// Removes sessions that are over, and closes requests that nobody decided on; a job.
pub async fn purge(app: &Staff) -> Result<(), sqlx::Error> {
    approvals::expire(app).await?;
    let now = app.clock.now();
    store::delete_over(&app.db, (now - IDLE, now)).await.map(drop)
}
