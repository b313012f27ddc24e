//! Removes expired demo accounts. A demo account has one session and cannot log in again, so it is
//! of no use after that. Login, session and profile are deleted. Its play money is owed by nobody
//! and stays in the ledger, as do its rounds (decision 15).

use chrono::Duration;

use crate::Identity;
use crate::sessions::model::LIFE;
use crate::sessions::store;
use site::Merchant;

/// Demo accounts per transaction, and transactions per run.
const BATCH: i64 = 500;
const BATCHES: usize = 20;

/// Removes expired demo accounts; a job. What exceeds one run is left for the next.
pub async fn remove_trials(app: &Identity) -> Result<(), sqlx::Error> {
    for merchant in app.site.sites.all(&app.db).await? {
        for _ in 0..BATCHES {
            if remove_some(app, &merchant).await? == 0 {
                break;
            }
        }
    }
    Ok(())
}

async fn remove_some(app: &Identity, merchant: &Merchant) -> Result<usize, sqlx::Error> {
    let before = app.clock.now() - LIFE - Duration::hours(merchant.trial_hours.into());
    let mut tx = app.db.begin().await?;
    let ids = members::lock_trials(&mut tx, merchant.id, before, BATCH).await?;
    if !ids.is_empty() {
        store::delete_traces(&mut tx, &ids).await?;
        members::remove_trials(&mut tx, &ids).await?;
    }
    tx.commit().await?;
    Ok(ids.len())
}
