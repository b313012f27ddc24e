//! The platform: shared infrastructure that every domain crate builds on (database, HTTP, jobs,
//! push, messages, rate limits). It depends on no domain.

pub mod admission;
pub mod bulk;
pub mod cache;
pub mod clock;
pub mod codes;
pub mod cookies;
pub mod csv;
pub mod ctid;
pub mod database_stats;
pub mod db;
pub mod error;
pub mod extract;
pub mod fail;
pub mod geoip;
pub mod guessable;
pub mod headers;
pub mod html;
pub mod http_client;
pub mod ids;
pub mod jobs;
pub mod language;
pub mod layers;
pub mod module;
pub mod outbox;
pub mod own_thread;
pub mod pages;
pub mod passwords;
pub mod phone;
pub mod push;
pub mod rate_limit;
pub mod request_context;
pub mod seal;
pub mod secret;
pub mod serve;
pub mod settings;
pub mod shutdown;
pub mod state;
pub mod tagged;
pub mod telemetry;
pub mod text;
pub mod timeouts;
pub mod totp;
pub mod vault;

pub use state::{ClientIp, Core};
