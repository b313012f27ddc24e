//! The platform: what every domain stands on. It knows no domain.

pub mod budget;
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
pub mod language;
pub mod layers;
pub mod outbox;
pub mod outside;
pub mod pages;
pub mod phone;
pub mod place;
pub mod push;
pub mod seal;
pub mod secret;
pub mod serve;
pub mod shutdown;
pub mod telemetry;
pub mod vault;
