//! The platform: what every domain stands on. It knows no domain.

pub mod bulk;
pub mod cache;
pub mod clock;
pub mod cookies;
pub mod db;
pub mod error;
pub mod extract;
pub mod fail;
pub mod headers;
pub mod ids;
pub mod jobs;
pub mod layers;
pub mod pages;
pub mod place;
pub mod push;
pub mod seal;
pub mod secret;
pub mod serve;
pub mod shutdown;
pub mod telemetry;
pub mod vault;
