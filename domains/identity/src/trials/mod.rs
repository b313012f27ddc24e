//! Demo accounts: opened by whoever asks, ended when they are over.

mod end;
mod http;
mod ops;

pub use end::remove_trials;
pub use http::FreePlay;
pub(super) use http::routes;
pub use ops::start_trial;
