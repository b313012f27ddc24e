//! Demo accounts: any visitor can open one, and a job removes it after it has expired.

mod end;
mod http;
mod ops;

pub use end::remove_trials;
pub use http::FreePlay;
pub(super) use http::routes;
pub use ops::start_trial;
