//! The scheduled jobs of staff.

use std::time::Duration;

use platform::jobs::{Bounds, Registry};

use super::model::IDLE;
use super::{Staff, approvals, store};

/// Registers the hourly purge.
pub(super) fn register(registry: &mut Registry, app: &Staff) {
    let app = app.clone();
    registry.handle("staff.purge", Bounds::default(), move |_| {
        let app = app.clone();
        async move { Ok(purge(&app).await?) }
    });
    registry.schedule("staff.purge", Duration::from_secs(3600));
}

/// Deletes expired sessions, and closes approval requests that nobody decided on in time.
pub async fn purge(app: &Staff) -> Result<(), sqlx::Error> {
    approvals::expire(app).await?;
    let now = app.clock.now();
    store::delete_expired(&app.db, (now - IDLE, now)).await.map(drop)
}
