//! What the office does by itself.

use std::time::Duration;

use platform::jobs::{Bounds, Registry};

use super::Staff;
use super::ops;

/// Forgets what is over, every hour.
pub(super) fn register(registry: &mut Registry, app: &Staff) {
    let app = app.clone();
    registry.handle("staff.purge", Bounds::default(), move |_| {
        let app = app.clone();
        async move { Ok(ops::purge(&app).await?) }
    });
    registry.schedule("staff.purge", Duration::from_secs(3600));
}
