//! The jobs of the domain: purging expired rows and removing expired demo accounts.

use std::time::Duration;

use platform::jobs::{Bounds, Registry};

use super::Identity;
use crate::purge;
use crate::trials;

/// Registers both jobs. Every node schedules them; each run is done by one node.
pub(super) fn register(registry: &mut Registry, app: &Identity) {
    let purged = app.clone();
    registry.handle("sessions.purge", Bounds::default(), move |_| {
        let app = purged.clone();
        async move { Ok(purge::purge(&app).await?) }
    });
    registry.schedule("sessions.purge", Duration::from_secs(3600));
    let app = app.clone();
    registry.handle("sessions.trials", Bounds::default(), move |_| {
        let app = app.clone();
        async move { Ok(trials::remove_trials(&app).await?) }
    });
    registry.schedule("sessions.trials", Duration::from_secs(600));
}
