//! Service: how the house runs, for those who look after it.
//!
//! Owns `service_checks`: what the hourly checks of the ledger and of the trail found. All else is
//! read where it is: messages and jobs from the platform, the pulse of the writer, of push and of
//! the database from their own. Whatever is done here stands in the trail.

mod checks;
mod findings;
mod health;
mod health_http;
mod jobs_http;
mod outbox_http;
mod outside;
mod outside_http;
mod store;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub use checks::{Check, Found, LEDGER_JOB, ROUNDS_JOB, TRAIL_JOB, note_check, register_jobs};

/// The office's routes: health, jobs, messages, outside services.
pub fn office_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(health_http::routes())
        .merge(jobs_http::routes())
        .merge(outbox_http::routes())
        .merge(outside_http::routes())
}
